"""Everything that is made of a design in one ZIP: the same revision and hash stand in each file."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from planner.documents.beside import NOTHING, Beside
from planner.documents.drawings import drawings
from planner.documents.machine import plan_json
from planner.documents.names import file_stem
from planner.documents.schema import SCHEMA_NAME, plan_schema
from planner.documents.sections import whole
from planner.documents.tables import bill_table, csv_bytes, identified
from planner.documents.text import LONGEST, clean
from planner.documents.workbook import plan_xlsx
from planner.plan import Plan

MANIFEST_NAME = "manifest.json"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The one time of all entries: the same files give the same archive."""
UNIX, PLAIN_FILE = 3, 0o100644 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What tells a design and its revision from another one.

    Attributes:
        title: Name of the design; any text.
        revision: Number or name of the revision.
        state: State of its review, or "draft".
        created: Date of the files.
        hash_text: Hash of scenario and catalogue.
        customer: For whom the files are; empty where nobody was named.
        classification: Who may read them; empty where it was not said.
    """

    title: str
    revision: str
    state: str
    created: datetime
    hash_text: str
    customer: str = ""
    classification: str = ""

    @property
    def rows(self) -> dict[str, str]:
        """The same by name, printable; what was not given is left out."""
        told = {
            "Title": clean(self.title, limit=LONGEST),
            "Revision": clean(self.revision, limit=LONGEST),
            "State": clean(self.state, limit=LONGEST),
            "Date": f"{self.created:%Y-%m-%d %H:%M}",
            "Hash": clean(self.hash_text, limit=LONGEST),
            "Customer": clean(self.customer, limit=LONGEST),
            "Classification": clean(self.classification, limit=LONGEST),
        }
        always = {"Title", "Revision", "State", "Date", "Hash"}
        return {name: value for name, value in told.items() if value or name in always}

    @property
    def mark(self) -> str:
        """The same on one line."""
        return "; ".join(f"{name}: {value}" for name, value in self.rows.items())


def workbook(plan: Plan, identity: Identity, beside: Beside = NOTHING) -> bytes:
    """The workbook with every section as a sheet, marked with the design's identity."""
    return plan_xlsx(
        plan,
        created=identity.created,
        identity=identity.rows,
        sections=whole(beside),
        prefixes=beside.prefixes,
    )


def bill_csv(plan: Plan, identity: Identity) -> bytes:
    """The bill of materials as CSV; each row names revision and hash."""
    table = bill_table(plan)
    return csv_bytes(identified(table, revision=identity.revision, hash_text=identity.hash_text))


def marked_json(plan: Plan, identity: Identity) -> str:
    """The plan as JSON text with what document it belongs to."""
    told: dict[str, Any] = plan_json(plan)
    told["document"] = {name.lower(): value for name, value in identity.rows.items()}
    return json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def schema_json() -> str:
    """The published schema of the plan as JSON text."""
    return json.dumps(plan_schema(), ensure_ascii=False, indent=2) + "\n"


def package(
    plan: Plan,
    identity: Identity,
    *,
    documents: Mapping[str, bytes],
    scenario_json: str,
    lacking: str = "",
    beside: Beside = NOTHING,
) -> bytes:
    """All files of a design as one ZIP; the same arguments give the same bytes.

    Args:
        plan: The plan.
        identity: The design, its revision and its hash: in each file.
        documents: Files by the end of their name that are made with more than the plan: PDF files with what a
            review and a delivery know, cable schedule and bundle with the names of the site.
        scenario_json: The inputs, as they can be taken in again.
        lacking: What could not be made, and why; empty where nothing is missing.
        beside: What is known beside the plan, for the workbook.
    """
    stem = file_stem(identity.title, identity.revision)
    files: dict[str, bytes] = {f"{stem}{end}": content for end, content in documents.items()}
    files |= {
        f"{stem}.xlsx": workbook(plan, identity, beside),
        f"{stem}-bill.csv": bill_csv(plan, identity),
        f"{stem}-plan.json": marked_json(plan, identity).encode(),
        SCHEMA_NAME: schema_json().encode(),
        f"{stem}-inputs.json": scenario_json.encode(),
    }
    files |= {
        f"drawings/{stem}-{name}": content.encode()
        for name, content in drawings(plan, mark=identity.mark, prefixes=beside.prefixes).items()
    }
    files["README.txt"] = _readme(identity, files, lacking).encode()
    files[MANIFEST_NAME] = _manifest(identity, files).encode()
    return zipped(files)


def _manifest(identity: Identity, files: Mapping[str, bytes]) -> str:
    """Design, revision and hash of every file, with the checksum by which each is known outside of the archive."""
    told = {
        "document": {name.lower(): value for name, value in identity.rows.items()},
        "files": {
            name: {"size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(files.items())
        },
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _readme(identity: Identity, files: Mapping[str, bytes], lacking: str) -> str:
    """What the archive is of, which files it has, and what is missing."""
    rows = "\n".join(f"{name}: {value}" for name, value in identity.rows.items())
    names = "\n".join(f"  {name} ({len(content):,} bytes)" for name, content in sorted(files.items()))
    missing = f"Missing: {lacking}\n\n" if lacking else ""
    return (
        f"Storage design\n\n{rows}\n\nFiles:\n{names}\n\n{missing}"
        f"Each file names this revision and hash. The inputs, from which the hash is made, and the schema, which holds "
        f"for every design, cannot: {MANIFEST_NAME} has the revision, the hash, and the SHA-256 of every file. Another "
        "hash is another design.\n"
    )


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files as a ZIP, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = UNIX
            entry.external_attr = PLAIN_FILE
            archive.writestr(entry, files[name])
    return out.getvalue()
