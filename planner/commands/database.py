"""Commands on the database: backups, roles, the trail, and an organisation's catalogue rows."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from planner.catalogue import OWN_KINDS
from planner.commands.common import FAILED, add_user, refuse, show, write_file
from planner.store import catalogue_command
from planner.store import command as store

_KINDS = ", ".join(OWN_KINDS)


def add_commands(commands: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    """Commands on the database."""
    command = commands.add_parser("backup", help="write the whole database of designs to one file")
    command.add_argument("file")
    add_user(command)
    command.set_defaults(run=_backup)
    command = commands.add_parser("restore", help="bring a backup into an empty database")
    command.add_argument("file")
    add_user(command)
    command.set_defaults(run=_restore)
    command = commands.add_parser(
        "role",
        help="give someone a role: viewer, editor or approver; from the first account on everyone who writes needs one",
    )
    command.add_argument("subject", help="mail address of the person, as the sign-in names it")
    command.add_argument("role")
    command.add_argument("--name", help="name to show")
    add_user(command)
    command.set_defaults(run=_role)
    command = commands.add_parser("audit", help="print the audit trail")
    command.add_argument("--format", default="csv", help="csv or json")
    command.add_argument("--design", type=int, help="of one design alone")
    add_user(command)
    command.set_defaults(run=_audit)
    command = commands.add_parser("catalogue", help="an organisation's catalogue rows: export, import, list")
    _add_catalogue(command.add_subparsers(required=True, metavar="ACTION"))


def _add_catalogue(parts: Any) -> None:  # noqa: ANN401 - argparse does not name its type
    part = parts.add_parser(
        "export", help="print the rows of a kind as CSV: a template to change and bring in"
    )
    part.add_argument("kind", help=_KINDS)
    part.add_argument("--price-set", default="", help="which prices")
    part.add_argument("--own", action="store_true", help="the organisation's rows alone")
    part.add_argument("-o", "--output", help="file to write; standard output if not given")
    add_user(part)
    part.set_defaults(run=_export_rows)
    part = parts.add_parser(
        "import", help="write the rows of a CSV file as versions; exit status 2 if a line is refused"
    )
    part.add_argument("kind", help=_KINDS)
    part.add_argument("file")
    part.add_argument("--organisation", required=True, help="whose rows they are")
    part.add_argument("--author", default="", help="who states them")
    part.add_argument("--price-set", default="", help="the price set of one's own that prices belong to")
    part.add_argument("--valid-from", help="first day, 2026-11-30; today if not given")
    part.add_argument("--valid-to", help="last day; no end if not given")
    part.add_argument("--note", default="", help="why")
    part.add_argument("--dry-run", action="store_true", help="check only")
    part.add_argument(
        "--accepted", action="store_true", help="write the accepted lines although others are refused"
    )
    add_user(part)
    part.set_defaults(run=_import_rows)
    part = parts.add_parser("list", help="print the organisation's rows with version, days and author")
    part.add_argument("kind", nargs="?", help=_KINDS)
    add_user(part)
    part.set_defaults(run=_list_rows)


def _backup(arguments: argparse.Namespace) -> int:
    print(store.backup(arguments.file, user=arguments.user))
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    print(store.restore(arguments.file, user=arguments.user))
    return 0


def _role(arguments: argparse.Namespace) -> int:
    show(store.role(arguments.subject, arguments.role, name=arguments.name, user=arguments.user))
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    print(store.audit(arguments.format, design_id=arguments.design, user=arguments.user), end="")
    return 0


def _export_rows(arguments: argparse.Namespace) -> int:
    content = catalogue_command.export(
        arguments.kind, price_set=arguments.price_set, own=arguments.own, user=arguments.user
    )
    if arguments.output:
        write_file(arguments.output, content.encode())
    else:
        sys.stdout.write(content)
    return 0


def _import_rows(arguments: argparse.Namespace) -> int:
    asked = catalogue_command.Importing(
        organisation=arguments.organisation,
        author=arguments.author,
        price_set=arguments.price_set,
        valid_from=arguments.valid_from,
        valid_to=arguments.valid_to,
        dry_run=arguments.dry_run,
        accepted=arguments.accepted,
        note=arguments.note,
    )
    done = catalogue_command.bring_in(arguments.kind, arguments.file, asked, user=arguments.user)
    show(done.lines)
    refuse(done.refused)
    return FAILED if done.refused else 0


def _list_rows(arguments: argparse.Namespace) -> int:
    show(catalogue_command.listing(arguments.kind, user=arguments.user))
    return 0
