"""A ZIP that is the same for the same files, whenever and wherever it is made."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
UNIX = 3


def packed(files: Mapping[str, str]) -> bytes:
    """Files by path, in the order of their paths; scripts may be run.

    Raises:
        ValueError: A path leaves the archive or is not portable.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(files):
            if path.startswith("/") or ".." in path.split("/") or "\\" in path:
                raise ValueError(f"path {path!r}")
            entry = zipfile.ZipInfo(path, FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = UNIX
            runnable = files[path].startswith("#!")
            entry.external_attr = (stat.S_IFREG | (0o755 if runnable else 0o644)) << 16
            archive.writestr(entry, files[path].encode())
    return out.getvalue()
