"""Designs that the tests save: real scenarios, and a store with a row in every table."""

from __future__ import annotations

import functools
from datetime import date

from sqlalchemy import select

from planner import Catalogue, Scenario, __version__, load_catalogue, plan, scenario_to_json
from planner.catalogue import OwnRow
from planner.plan import Plan
from planner.review import Actor, Anchor, Decision, RegisterItem, Requirement, basis
from planner.scenario_json import with_value
from planner.store import NewCatalogueRow, NewRevision, Store
from planner.store.tables import Table
from planner.summary import key_results

BLOCKED = {
    "jobs.0.checkpoint.mode": "sync",
    "jobs.0.checkpoint.interval_s": 60.0,
    "storage.hot.drive_count": 15,
}
"""Inputs of a design that cannot be approved as it is."""
ANN, BOB, EVE = Actor("ann@x", "Ann"), Actor("bob@x", "Bob"), Actor("eve@x", "Eve")
"""An approver, an editor and a viewer of a store with accounts."""


def catalogue() -> Catalogue:
    """The shipped catalogue."""
    return load_catalogue()


@functools.cache
def scenario(*changes: tuple[str, object]) -> Scenario:
    """The default scenario with some inputs changed."""
    stated = Scenario()
    for path, value in changes:
        stated = with_value(stated, path, value)
    return stated


@functools.cache
def planned(*changes: tuple[str, object]) -> Plan:
    """The plan of such a scenario."""
    return plan(scenario(*changes), catalogue())


@functools.cache
def scenario_content(*changes: tuple[str, object], author: str = "ann", note: str = "") -> NewRevision:
    """What a page saves of such a scenario."""
    stated = scenario(*changes)
    return NewRevision(
        scenario_json=scenario_to_json(stated),
        author=author,
        note=note,
        key_results=key_results(planned(*changes)),
        catalogue_hash=catalogue().hash,
        engine_version=__version__,
        price_hash=basis(stated, catalogue(), engine_version=__version__).price_hash,
    )


def blocked_content() -> NewRevision:
    """A revision with blockers."""
    return scenario_content(*BLOCKED.items())


REQUIREMENT = Requirement(
    ref="R-1", text="Stall below half a minute", result="Key figures / Stall", measure="at most", target=30.0,
    level="must",
)  # fmt: skip
DECISION = Decision(
    problem="Transport?", options="RDMA\nTCP", choice="RDMA", reason="faster", consequence="PFC"
)
RISK = RegisterItem(kind="risk", text="Drives are late", owner="Ann")


Content = dict[str, list[tuple[object, ...]]]


def content(store: Store) -> Content:
    """Every row of every table."""
    with store.database.reading() as session:
        return {
            table.name: [tuple(row) for row in session.execute(select(table).order_by(*table.primary_key))]
            for table in Table.metadata.sorted_tables
        }


def with_accounts(store: Store) -> None:
    """Give Ann, Bob and Eve their roles."""
    store.set_account(ANN.subject, "approver", name=ANN.name)
    ann = store.acting(ANN)
    ann.set_account(BOB.subject, "editor", name=BOB.name)
    ann.set_account(EVE.subject, "viewer", name=EVE.name)


OWN_OPTIC = OwnRow(
    kind="optics",
    cells={
        "id": "own-400g", "type": "400G-DR4", "speed_gbps": "400", "reach_m": "500", "power_w_per_end": "9",
        "source": "Data sheet 17", "confidence": "seen", "as_of": "2026-01-01",
    },
    valid_from=date(2026, 1, 1), organisation="ACME", author="", entered=date(2026, 1, 1),
)  # fmt: skip
"""An optic of an organisation's own; the store says who stated it, and when."""


def filled(store: Store) -> None:
    """Put rows into every table: a design that was reviewed and approved, with accounts and a draft."""
    with_accounts(store)
    ann, bob = store.acting(ANN), store.acting(BOB)
    bob.create_design('Größe ✓ "x"; DROP TABLE design --', blocked_content())
    thread = bob.begin_thread(1, 1, Anchor("section", "Cost"), "=1+1 <b>dear</b>\nsecond line")
    ann.resolve_thread(thread.id)
    for entry in (REQUIREMENT, DECISION, RISK):
        bob.add_entry(1, entry)
    bob.take_step(1, 1, "submit")
    for item in ann.assess(1, 1, catalogue=catalogue()).blockers(ann.waivers(1, 1)):
        ann.waive(1, 1, item.finding.code, item.subject, reason="known", catalogue=catalogue())
    ann.approve(1, 1, catalogue=catalogue())
    bob.add_revision(1, scenario_content(), base_revision=1)
    bob.write_catalogue_rows([NewCatalogueRow(OWN_OPTIC)], shipped=catalogue())
    bob.share(1, 1, note="customer")
    bob.add_measurements(1, 1, '{"format": 1}', measured_on=date(2026, 1, 1), note="rack 1")
    bob.keep_document_settings('{"disclaimer": "Kein Angebot"}')
    bob.keep_document_settings('{"customer": "شركة"}', design_id=1)
    bob.save_draft("k" * 22, '{"a": 1.5}', base_design_id=1, base_revision=2)
