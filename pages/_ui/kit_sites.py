"""One design at several sites: stated here, taken from a usual circuit or from a saved design."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from pages._ui import answers, drafts, session, values
from pages._ui.figures import table
from pages._ui.markup import bold, escaped
from pages._ui.verdicts import VERDICTS
from planner.core.errors import PlannerError
from planner.core.units import sizes
from planner.explore.sites import SiteRow, compare_sites, sites_table, usual_sites
from planner.inputs import Input, flatten, input_at, nest, value_at
from planner.plan import Plan
from planner.scenario import Scenario, Site
from planner.scenario_json import scenario_from_dict, scenario_from_json, scenario_to_json

MOST_SITES = 4
"""Sites beside the design's own."""
MOST_DESIGNS = 50
OWN = "This design's site"
PATHS = (
    "site.rack_limit_w",
    "site.rack_height_ru",
    "site.rack_limit_kg",
    "site.feed_volts",
    "site.feed_amps",
    "site.feed_phase_count",
    "site.region",
    "site.allowed_w",
    "site.allowed_rack_count",
    "site.allowed_circuit_count",
    "site.inlet_celsius",
    "site.floor_limit_kg_per_m2",
    "site.pue_ratio",
    "site.usd_per_kwh",
)
"""What sites differ in, and what can be stated here; all else is as in the design or the site that was taken."""
_SITES, _WRONG, _SHOWN = drafts.SITES, "_sites_wrong", "ui.sites.shown"


def several(plan: Plan) -> None:
    """Which sites, what each is, and the table of all of them."""
    st.markdown("The same design at each site, in its racks and on its circuits.")
    _adding(plan)
    wrong = session.get(_WRONG)
    if wrong:
        st.error(escaped(str(wrong)), icon=":material/error:")
    if session.get(drafts.SITES_OPENED):
        session.put(drafts.SITES_OPENED, False)
        for index, kept in enumerate(_kept()):
            _fill(index, kept["name"], _at(plan.scenario, kept))
    _in_view()
    stated: dict[str, Site] = {OWN: plan.scenario.site}
    for index, kept in enumerate(_kept()):
        found = _site(plan.scenario, index, kept)
        if found is not None:
            stated[_free_name(_title(index, kept), stated)] = found
            _keep(index, _title(index, kept), found)
    drafts.keep()
    try:
        rows = _table(
            scenario_to_json(plan.scenario),
            json.dumps({name: site.model_dump() for name, site in stated.items()}),
            answers.catalogue().hash,
            binary=session.binary(),
        )
    except PlannerError as error:
        st.error(escaped(error.message), icon=":material/error:")
        return
    table(_rows(list(stated), rows), alt="The design at each site")


def _free_name(name: str, taken: dict[str, Site]) -> str:
    """The name of a site, with a number where another has it."""
    number, found = 2, name
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found


def _rows(names: list[str], rows: tuple[SiteRow, ...]) -> list[dict[str, str]]:
    return [
        {"": escaped(row.name)}
        | {
            escaped(name): " ".join(part for part in (VERDICTS.get(verdict, ""), _cell(row, cell)) if part)
            for name, cell, verdict in zip(names, row.cells, row.verdicts, strict=True)
        }
        for row in rows
    ]


def _cell(row: SiteRow, cell: str) -> str:
    return "" if row.name == "Verdict" else escaped(f"· {cell}" if row.verdicts[0] else cell)


@st.cache_resource(max_entries=32, show_spinner="Planning the design at each site")
def _table(scenario_json: str, sites_json: str, catalogue_hash: str, *, binary: bool) -> tuple[SiteRow, ...]:
    """The table; a plan for each site, kept because most runs of a page change nothing.

    Raises:
        PlannerError: The design cannot be planned at a site.
    """
    del catalogue_hash
    stated = {name: Site.model_validate(site) for name, site in json.loads(sites_json).items()}
    with sizes(binary=binary):
        return sites_table(compare_sites(scenario_from_json(scenario_json), stated, answers.catalogue()))


# --- which sites --------------------------------------------------------------------------------------------


def _kept() -> list[dict[str, Any]]:
    """Sites beside the design's own: a name, and the values by path."""
    found: list[dict[str, Any]] = session.get(_SITES) or []
    return found


def _keep(index: int, name: str, site: Site) -> None:
    """Keep a site as its fields state it: the draft holds it."""
    kept = _kept()
    held = {"name": name, "site": site.model_dump(mode="json")}
    session.put(_SITES, [*kept[:index], held, *kept[index + 1 :]])


def _at(scenario: Scenario, kept: dict[str, Any]) -> Scenario:
    """The design at a site that is kept."""
    return scenario.model_copy(update={"site": Site.model_validate(kept["site"])})


def _adding(plan: Plan) -> None:
    choices = {"usual:": "A site like this design's"}
    choices |= {f"usual:{name}": name for name in usual_sites(answers.catalogue(), plan.scenario.site)}
    choices |= {f"design:{row.id}": f"Site of “{row.name}”" for row in _designs()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Add a site",
            list(choices),
            format_func=lambda choice: escaped(choices[choice]),
            key="ui.sites.from",
            persist_state="session",
            width=320,
        )
        st.button(
            "Add",
            key="ui.sites.add",
            on_click=_add,
            args=(plan.scenario,),
            icon=":material/add:",
            disabled=len(_kept()) >= MOST_SITES,
        )


def _designs() -> list[Any]:
    try:
        return list(answers.store().designs(limit=MOST_DESIGNS).rows)
    except PlannerError:
        return []


def _add(scenario: Scenario) -> None:
    """Take a site over into the fields."""
    kind, _, name = str(session.get("ui.sites.from")).partition(":")
    session.put(_WRONG, None)
    try:
        if kind == "design":
            found = scenario_from_json(answers.store().revision(int(name)).scenario_json).site
            title = answers.store().design(int(name)).name
        else:
            found = usual_sites(answers.catalogue(), scenario.site).get(name, scenario.site)
            title = name or "Another site"
    except PlannerError as error:
        session.put(_WRONG, error.message)
        return
    index = len(_kept())
    session.put(_SITES, [*_kept(), {"name": title, "site": found.model_dump(mode="json")}])
    _fill(index, title, scenario.model_copy(update={"site": found}))
    session.put(_SHOWN, _numbered(index))


def _fill(index: int, title: str, scenario: Scenario) -> None:
    session.put(f"ui.site.{index}.name", title)
    for path in PATHS:
        item = input_at(path)
        if item is not None:
            session.put(f"ui.site.{index}.{path}", values.shown(item, value_at(scenario, path)))


def _remove(index: int) -> None:
    """Take a site away; those behind it move up with what was typed."""
    kept = _kept()
    texts = [{key: session.get(f"ui.site.{i}.{key}") for key in ("name", *PATHS)} for i in range(len(kept))]
    session.put(_SITES, kept[:index] + kept[index + 1 :])
    for place, held in enumerate(texts[:index] + texts[index + 1 :]):
        for key, value in held.items():
            session.put(f"ui.site.{place}.{key}", value)


# --- one site -----------------------------------------------------------------------------------------------


def _in_view() -> None:
    """Which of the added sites is in view, and its fields."""
    kept = _kept()
    if not kept:
        return
    numbers = [_numbered(index) for index in range(len(kept))]
    if session.get(_SHOWN) not in numbers:
        session.put(_SHOWN, numbers[0])
    # Numbers, not names: a name is typed below, and a choice whose text changes is no longer the chosen one.
    st.selectbox("Site in view", numbers, key=_SHOWN, persist_state="session", width=320)
    with st.container(border=True):
        _fields(numbers.index(session.get(_SHOWN)))


def _numbered(index: int) -> str:
    return f"Added site {index + 1}"


def _title(index: int, kept: dict[str, Any]) -> str:
    """The name of a site as it stands in its field."""
    return str(session.get(f"ui.site.{index}.name") or kept["name"])


def _site(scenario: Scenario, index: int, kept: dict[str, Any]) -> Site | None:
    """What the fields of a site state; None where one of them is no value."""
    base = _at(scenario, kept)
    try:
        return scenario_from_dict(nest({**flatten(base), **_stated(base, index)})).site
    except PlannerError as error:
        st.error(f"{bold(_title(index, kept))}: {escaped(error.message)}", icon=":material/error:")
        return None


def _stated(base: Scenario, index: int) -> dict[str, values.Value]:
    """What the fields of a site say, by path.

    Raises:
        PlannerError: A text is no value of its field.
    """
    found = {}
    for path in PATHS:
        item, raw = input_at(path), session.get(f"ui.site.{index}.{path}")
        if item is not None and raw is not None:
            found[path] = values.read(item, raw, value_at(base, path))
    return found


def _fields(index: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name of the site", key=f"ui.site.{index}.name", persist_state="session", width=220)
        for path in PATHS:
            item = input_at(path)
            if item is not None:
                _field(item, f"ui.site.{index}.{path}")
    st.button(
        "Remove this site",
        key=f"ui.site.{index}.remove",
        on_click=_remove,
        args=(index,),
        icon=":material/remove:",
    )


def _field(item: Input, key: str) -> None:
    told = escaped(item.help)
    if item.choices:
        st.selectbox(item.label, item.choices, key=key, persist_state="session", help=told, width=220)
    else:
        st.text_input(item.label, key=key, persist_state="session", help=told, width=220)
