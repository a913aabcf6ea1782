"""What a user waits for, measured in one run on one core: `python -m tests.benchmarks.run`.

Every figure stands beside one taken in the same run, so that the machine's own speed cancels:
plans beside what numpy takes for as many operations, the Plan page beside a bare page with as many
widgets and charts, a list of 10,000 designs beside a list of 10.
"""

from __future__ import annotations

import gc
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from pages._ui import library
from planner import Scenario, calculate, load_catalogue, plan
from planner.core.quantity import Quantity
from planner.deploy.addressing import Addressing
from planner.deploy.archive import packed
from planner.deploy.bundle import contents
from planner.documents import Stamp, pdf
from planner.plan import Plan
from planner.scenario_json import scenario_to_json
from planner.store import NewRevision, open_store
from planner.templates import template, templates

ROOT = Path(__file__).parents[2]


def seconds(
    action: Callable[[], object], *, repeat: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Median time of one call, by a clock: the wall's, or the processor's where other work would disturb it."""
    action()
    times = []
    for _ in range(repeat):
        begin = clock()
        action()
        times.append(clock() - begin)
    return statistics.median(times)


def operations(root: object) -> int:
    """How many formulas were applied for a result: the quantities that a calculation derived."""
    seen: set[int] = set()
    stack = [root]
    count = 0
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, Quantity):
            count += item.formula is not None
            stack.extend((item.inputs or {}).values())
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, tuple | list):
            stack.extend(item)
        elif hasattr(item, "__dataclass_fields__") and type(item).__module__.startswith("planner.sections"):
            stack.extend(getattr(item, name) for name in item.__dataclass_fields__)
    return count


def measure_plans() -> None:
    """Plans a second, whole and calculation alone, beside numpy's cost of as many operations."""
    catalogue, scenario = load_catalogue(), Scenario()
    whole = seconds(lambda: plan(scenario, catalogue), repeat=300)
    alone = seconds(lambda: calculate(scenario, catalogue), repeat=300)
    done = calculate(scenario, catalogue)
    count = operations(
        (
            done.cluster,
            [r for job in done.jobs for r in (job.job, job.save, job.goodput)],
            done.tiers,
            done.network,
            done.endurance,
            done.facility,
        )
    )
    one = np.float64(1.5)
    numpy_only = seconds(lambda: [np.multiply(one, one) for _ in range(count * 3)], repeat=300)
    print(f"plan(), findings and bill of materials   {1 / whole:8.0f} a second   (target 500)")
    print(f"calculation alone                        {1 / alone:8.0f} a second   (target 2000)")
    print(f"numpy, {count} formulas of 3 operations     {1 / numpy_only:8.0f} a second")
    slowest = max(templates(), key=lambda item: item.scenario.cluster.node_count)
    large = seconds(lambda: plan(slowest.scenario, catalogue), repeat=100)
    print(f"largest template over the default        {large / whole:8.2f} times      (target 2)")


def _document(result: Plan, number: int = 1) -> bytes:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    return pdf(result, Stamp(f"Design {number}", "1", "", day, hash_text="0", draft=True))


def measure_pdf() -> None:
    """Time of the processor for the design document of the largest template and of the guide's example."""
    catalogue = load_catalogue()
    for name, target_ms in (("frontier-16384", 2000), ("guide-256-evidence", 1000)):
        result = plan(template(name).scenario, catalogue)
        took = seconds(lambda result=result: _document(result), repeat=5, clock=time.process_time)
        print(f"PDF of {name:<33} {took * 1000:8.0f} ms     (target {target_ms})")


def measure_bundle() -> None:
    """Time of the processor for the files of the largest template's bundle, beside packing them."""
    result = plan(template("frontier-16384").scenario, load_catalogue())
    files = contents(result, Addressing()).files
    written = seconds(lambda: contents(result, Addressing()), repeat=3, clock=time.process_time)
    packing = seconds(lambda: packed(files), repeat=3, clock=time.process_time)
    print(f"bundle of frontier-16384 over packing it {written / packing:8.2f} times      (target 10)")


def measure_memory() -> None:
    """How much a hundred documents leave in memory after the first twenty have filled fonts and caches."""
    result = plan(template("guide-256-evidence").scenario, load_catalogue())
    held = {}
    for number in range(120):
        _document(result, number)
        if number in (19, 119):
            gc.collect()
            held[number] = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    print(f"memory after 100 documents               {(held[119] - held[19]) / 1e6:8.1f} MB more  (target 0)")


def measure_list() -> None:
    """First page of the list of designs: 10,000 saved ones against 10."""
    content = NewRevision(scenario_json=scenario_to_json(Scenario()), author="benchmark")
    times = {}
    for count in (10, 10_000):
        with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/designs.db") as store:
            for number in range(count):
                store.create_design(f"Design {number}", content)
            times[count] = seconds(lambda store=store: store.designs(limit=library.ROWS), repeat=200)
    ratio = times[10_000] / times[10]
    print(f"first page of 10,000 designs over 10     {ratio:8.2f} times      ({times[10_000] * 1000:.2f} ms)")


BARE = {
    "flex_container": "st.container(border=True)",
    "popover": "st.popover(f'Popover {n}', key=f'popover{n}')",
    "metric": "st.metric(f'Metric {n}', '988 GB')",
    "toggle": "st.toggle(f'Toggle {n}', key=f'toggle{n}')",
    "checkbox": "st.checkbox(f'Checkbox {n}', key=f'checkbox{n}')",
    "text_input": "st.text_input(f'Text {n}', key=f'text{n}', help='Help of the input')",
    "number_input": "st.number_input(f'Number {n}', key=f'number{n}', help='Help of the input')",
    "selectbox": "st.selectbox(f'Choice {n}', ['one', 'two'], key=f'choice{n}')",
    "button_group": "st.segmented_control(f'Group {n}', ['one', 'two', 'three'], key=f'group{n}')",
    "button": "st.button(f'Button {n}', key=f'button{n}')",
    "markdown": "st.markdown('A line of text')",
    "caption": "st.caption('A line of text')",
    "title": "st.title('Title')",
    "subheader": "st.subheader('Subheader')",
    "expander": "st.expander(f'Expander {n}')",
    "table": "st.table([{'Figure': 'Checkpoint', 'Value': '988 GB'}] * 12)",
    "dataframe": "st.dataframe([{'Figure': 'Checkpoint', 'Value': '988 GB'}] * 12)",
    "plotly_chart": "st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[3, 2, 1])), key=f'chart{n}')",
}
"""A plain call for each kind of element that the Plan page has."""


def elements(node: object, found: Counter[str] | None = None) -> Counter[str]:
    """How many elements of each kind a page has."""
    found = Counter() if found is None else found
    for child in getattr(node, "children", {}).values():
        found[getattr(child, "type", "")] += 1
        elements(child, found)
    return found


def measure_page() -> None:
    """The Plan page's script against a bare page with as many elements of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLANNER_DATABASE_URL"] = f"sqlite:///{folder}/page.db"
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        page = page.switch_page("pages/plan.py").run()
        kinds = elements(page.main)
        lines = [f"for n in range({kinds[kind]}):\n    {call}" for kind, call in BARE.items()]
        script = "import plotly.graph_objects as go\nimport streamlit as st\n" + "\n".join(lines)
        bare = AppTest.from_string(script, default_timeout=60).run()
        counts = itertools.count(65)

        def change() -> None:
            page.text_input("cluster.node_count").set_value(str(next(counts))).run()

        ours, changed, theirs = (seconds(action, repeat=25) for action in (page.run, change, bare.run))
    print(
        f"Plan page, {sum(kinds[kind] for kind in BARE)} elements   {ours * 1000:6.0f} ms; "
        f"bare page {theirs * 1000:.0f} ms: {ours / theirs:.2f} times   (target 2)"
    )
    print(
        f"the same after a change of an input      {changed / theirs:8.2f} times      ({changed * 1000:.0f} ms)"
    )


def main() -> int:
    """All measurements, one line each."""
    for measure in (measure_plans, measure_pdf, measure_bundle, measure_memory, measure_list, measure_page):
        measure()
    return 0


if __name__ == "__main__":
    sys.exit(main())
