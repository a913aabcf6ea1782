"""A real PostgreSQL for the tests: found, started on a loopback port in a folder of its own, stopped.

    python -m tests.store.postgres

says where the programs are, or exits with 1. Without them the tests that need the server fail.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

SERVER_USER = "postgres"
"""The server refuses to run as root; Debian's package makes this user."""
# What a crash of the server keeps is kept; a power cut is not tested, so nothing waits for the disk.
_OPTIONS = "-c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off"


class MissingServerError(Exception):
    """There is no PostgreSQL to start."""


def programs() -> Path:
    """The folder with `initdb` and `pg_ctl`, of the newest version there is.

    Raises:
        MissingServerError: There is none.
    """
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve()] if on_path else versions[-1:]
    if not found:
        raise MissingServerError("no PostgreSQL: install it (Debian: apt-get install postgresql)")
    return found[0].parent


def _version(path: Path) -> float:
    return float(path.parts[4])


class Server:
    """A running server with one database for each name asked for."""

    def __init__(self) -> None:
        """Make a cluster in a folder of its own and start it."""
        self._programs = programs()
        self._folder = Path(tempfile.mkdtemp(prefix="planner-pg-"))
        self._numbers = itertools.count(1)
        if os.geteuid() == 0:
            owner = pwd.getpwnam(SERVER_USER)
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8")
        self.port = _free_port()
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", SERVER_USER, "--", *command]
        # The server inherits the output; a pipe would stay open as long as it runs.
        log = self._folder / "log"
        with log.open("ab") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd=self._folder, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{log.read_text(errors='replace')[-3_000:]}")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-p {self.port} -c unix_socket_directories={self._folder} {_OPTIONS}"
        self._run("pg_ctl", "-w", "-t", "60", "-D", self._data, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; "immediate" is what a power cut does."""
        self._run("pg_ctl", "-w", "-D", self._data, "-m", mode, "stop")

    def restart(self, mode: str = "fast") -> None:
        """Stop and start the server on the same port; every connection breaks."""
        self.stop(mode)
        self.start()

    def remove(self) -> None:
        """Stop the server and remove its folder."""
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, name: str) -> str:
        """Address of a database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def new_database(self, template: str = "template0") -> str:
        """Make an empty database, or a copy of another, and return its name."""
        name = f"test_{next(self._numbers)}"
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is still connected."""
        self.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    def execute(self, statement: str, *, name: str = "postgres") -> list[tuple[object, ...]]:
        """Carry out a statement on a connection of its own."""
        import psycopg  # noqa: PLC0415 - `python -m` must say what is missing before it is needed

        with psycopg.connect(self.url(name), autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[call-overload]
            return list(cursor.fetchall()) if cursor.description else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    try:
        print(programs())
    except MissingServerError as missing:
        sys.exit(str(missing))
