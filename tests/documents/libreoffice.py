"""LibreOffice Calc as a judge of workbooks: it opens a file, calculates everything again, and saves it.

It keeps the results that a file brings along unless it is told not to: the profile says "always".
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import openpyxl

PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
</item>
</oor:items>
"""
WAIT_S = 300


def recalculated(files, folder):
    """The workbooks as they are after LibreOffice calculated them again, by name.

    Args:
        files: Content of each workbook by its name, without an ending.
        folder: An empty folder of the test's own.
    """
    office = shutil.which("soffice")
    assert office, "soffice is not on PATH: install libreoffice-calc-nogui"
    profile, out = Path(folder) / "profile", Path(folder) / "out"
    (profile / "user").mkdir(parents=True)
    (profile / "user" / "registrymodifications.xcu").write_text(PROFILE)
    for name, content in files.items():
        (Path(folder) / f"{name}.xlsx").write_bytes(content)
    done = subprocess.run(
        [
            office, f"-env:UserInstallation={profile.resolve().as_uri()}", "--headless", "--convert-to", "xlsx",
            "--outdir", str(out), *(str(Path(folder) / f"{name}.xlsx") for name in files),
        ],
        capture_output=True, text=True, check=False, timeout=WAIT_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {name: openpyxl.load_workbook(out / f"{name}.xlsx", data_only=True) for name in files}
