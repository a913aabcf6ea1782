"""The real tools that read what the bundle holds: a tool that is not there is a failure, never a skip."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def tool(name: str) -> str:
    """Path of a tool; beside the Python that runs, on PATH, or where administrators' tools are."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name) or shutil.which(name, path=SYSTEM_FOLDERS)
    assert found, f"{name} is not installed: see tests/run"
    return found


def run(name: str, *arguments: object, stdin: str = "", cwd: Path | None = None, **environment: str):
    """Run a tool to its end and keep what it says."""
    return subprocess.run(
        [tool(name), *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=cwd,
        env={"PATH": SYSTEM_FOLDERS, "LC_ALL": "C.UTF-8", **environment},
    )


def lay_out(files: dict[str, str], folder: Path, prefix: str = "") -> Path:
    """Write the files of a bundle under a folder, those of one part only if a prefix is given."""
    for path, text in files.items():
        if path.startswith(prefix):
            place = folder / path.removeprefix(prefix)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                place.chmod(0o755)
    return folder
