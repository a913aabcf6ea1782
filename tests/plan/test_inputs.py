"""What comes from outside: every good scenario comes back as it was, every bad one is refused in one clear line."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import load_catalogue
from planner.core.errors import PlannerError
from planner.core.units import UNITS, parse_value, sizes
from planner.inputs import INPUTS, Input, exact_text, flatten, input_at, inputs_for, nest, value_at
from planner.plan import plan
from planner.scenario import SCHEMA_VERSION, Scenario
from planner.scenario_json import (
    MAX_DEPTH,
    MAX_JSON_BYTES,
    InputError,
    read_json,
    scenario_from_dict,
    scenario_from_json,
    scenario_to_json,
    schema,
    with_value,
)
from planner.summary import headline
from planner.templates import templates

START = Scenario()
NUMBERS = [item for item in INPUTS if item.kind in ("number", "count")]
by_input = pytest.mark.parametrize("item", INPUTS, ids=lambda item: item.path)
by_number = pytest.mark.parametrize("item", NUMBERS, ids=lambda item: item.path)


def refused(action: Any, *arguments: Any) -> PlannerError:
    """The error of an action; one printable line of readable length."""
    with pytest.raises(PlannerError) as caught:
        action(*arguments)
    message = caught.value.message
    assert message
    assert "\n" not in message
    assert len(message) < 500
    return caught.value


# --- the list of inputs --------------------------------------------------------------------------


@by_input
def test_each_input_can_be_asked_and_explained(item: Input) -> None:
    assert item.label
    assert item.label[0].isupper() or item.label[0].isdigit()
    assert item.help.endswith(".")
    assert item.grade in ("input", "seen", "inferred", "from memory", "class assumption", "guide")
    assert item.source or item.grade == "input"
    assert item.allowed()
    assert value_at(START, item.path) == item.default
    assert input_at(item.path) == item


@by_number
def test_each_number_has_a_known_unit_and_both_bounds(item: Input) -> None:
    assert item.unit in UNITS or item.path == "prices.term_years"
    assert item.low is not None
    assert item.high is not None
    assert item.low < item.high
    if item.default is not None:
        assert item.low <= item.default <= item.high


def test_ids_of_the_catalogue_that_stand_as_defaults_are_in_it() -> None:
    for item in INPUTS:
        if item.catalogue and item.default is not None:
            assert item.default in getattr(load_catalogue(), item.catalogue)


def test_paths_are_unique_and_each_job_has_the_same_inputs() -> None:
    for count in (1, 3, 16):
        paths = [item.path for item in inputs_for(count)]
        assert len(set(paths)) == len(paths)
        of_each = [
            {p.removeprefix(f"jobs.{index}.") for p in paths if p.startswith(f"jobs.{index}.")}
            for index in range(count)
        ]
        assert all(names == of_each[0] for names in of_each)


@pytest.mark.parametrize(
    "path",
    ["jobs.0.checkpoint", "cluster", "nothing", "", "jobs.x.name", "jobs.99.name", f"jobs.{'9' * 5000}.name"],
)
def test_what_is_no_input_is_not_found(path: str) -> None:
    assert input_at(path) is None


def test_every_input_is_in_the_published_schema() -> None:
    text = json.dumps(schema())
    for item in INPUTS:
        assert json.dumps(item.label) in text
        assert f'"{item.name}"' in text


# --- out and in again ----------------------------------------------------------------------------


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_json_reads_back_to_the_same_scenario(item: Any) -> None:
    text = scenario_to_json(item.scenario)
    assert scenario_from_json(text) == item.scenario
    assert scenario_from_json(text.encode()) == item.scenario
    assert scenario_from_json("\ufeff" + text) == item.scenario
    assert scenario_from_json(text.encode("utf-8-sig")) == item.scenario
    assert scenario_to_json(scenario_from_json(text)) == text
    assert json.loads(text)["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)
def test_flat_and_nested_form_undo_each_other(item: Any) -> None:
    flat = flatten(item.scenario)
    assert list(flat) == [entry.path for entry in inputs_for(len(item.scenario.jobs))]
    assert scenario_from_dict(nest(flat)) == item.scenario
    assert flatten(scenario_from_dict(nest(flat))) == flat


def test_ten_and_more_jobs_keep_their_order() -> None:
    names = [f"Job {index}" for index in range(16)]
    scenario = scenario_from_dict({"jobs": [{"name": name} for name in names]})
    shuffled = dict(reversed(flatten(scenario).items()))
    assert [job.name for job in scenario_from_dict(nest(shuffled)).jobs] == names


@settings(max_examples=60)
@given(data=st.data())
def test_one_changed_value_is_the_only_change(data: st.DataObject) -> None:
    item = data.draw(st.sampled_from(NUMBERS))
    assert item.low is not None
    assert item.high is not None
    whole = START.jobs[0].model.parameter_count  # more parameters than these cannot be active
    high = whole if item.path == "jobs.0.model.active_parameter_count" else item.high
    value = data.draw(
        st.floats(item.low, high) if item.kind == "number" else st.integers(int(item.low), int(high))
    )
    if item.path in (
        "jobs.0.node_count",
        "jobs.0.checkpoint.step_s",
        "jobs.0.checkpoint.interval_step_count",
    ):
        return
    after = with_value(START, item.path, value)
    assert value_at(after, item.path) == value
    flat = flatten(after)
    moved = {path for path, old in flatten(START).items() if flat[path] != old}
    assert moved <= {item.path}
    assert scenario_from_json(scenario_to_json(after)) == after


def test_text_of_any_script_survives() -> None:
    for name in ("模型 70B", "Größe «ä»", "a\tb", "🚀", "\u202eabc"):
        scenario = with_value(START, "name", name)
        assert scenario_from_json(scenario_to_json(scenario)).name == name


# --- values that are not allowed -----------------------------------------------------------------


def says_all(error: PlannerError, item: Input) -> None:
    """The line names path, label and what is allowed."""
    assert error.field == item.path
    assert error.message.startswith(f"{item.path} ({item.label}): ")
    assert item.allowed() in error.message


@by_number
def test_what_is_no_number_is_refused(item: Input) -> None:
    for value in (math.nan, math.inf, "many", [1], {"value": 1}, True):
        error = refused(with_value, START, item.path, value)
        says_all(error, item)
        assert ("or empty for AUTO" in error.message) == item.auto


@by_number
def test_a_number_out_of_its_range_is_refused_with_the_nearest(item: Input) -> None:
    assert item.low is not None
    assert item.high is not None
    above = item.high * 1.001 + 1
    for value, end in ((item.low - 1, item.low), (int(above) if item.kind == "count" else above, item.high)):
        error = refused(with_value, START, item.path, value)
        says_all(error, item)
        nearest = error.message.rpartition("the nearest is ")[2]
        assert parse_value(nearest.removesuffix("×"), item.unit or "count") == pytest.approx(end, rel=1e-9)


@by_number
def test_a_number_next_to_nothing_is_refused_or_planned(item: Input) -> None:
    """What a formula divides by has the least that it can mean as its bound: "above 0" lets 5e-324 through."""
    assert item.low is not None
    if item.low > 0:
        assert item.low >= 1e-6
        says_all(refused(with_value, START, item.path, 5e-324), item)
    elif item.kind == "number":
        assert headline(plan(with_value(START, item.path, 5e-324), load_catalogue()))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1" + "0" * 308, "1e+308 is not allowed; use 1 to 200 000; the nearest is 200 000"),
        ("-1" + "0" * 308, "-1e+308 is not allowed; use 1 to 200 000; the nearest is 1"),
        ("9" * 309, f"{'9' * 39}… is not allowed; use 1 to 200 000; the nearest is 200 000"),
    ],
    ids=["large", "below", "no float"],
)
def test_a_number_beyond_all_size_is_told_short_and_with_its_label(written: str, told: str) -> None:
    error = refused(scenario_from_json, f'{{"cluster": {{"node_count": {written}}}}}')
    assert error.message.replace("\u202f", " ") == f"cluster.node_count (GPU nodes): {told}"
    limit = refused(scenario_from_json, f'{{"site": {{"rack_limit_w": {written}}}}}').message
    assert "is not allowed; use 500\u00a0W to 1\u00a0MW" in limit


def test_a_port_is_named_in_bits_and_read_back_the_same() -> None:
    port = input_at("cluster.storage_port_bytes_per_s")
    assert port is not None
    assert port.text(25e9) == "200\u00a0Gb/s"
    assert port.allowed() == "1\u00a0Gb/s to 1.6\u00a0Tb/s"
    assert parse_value(port.text(25e9, digits=None), port.unit) == 25e9


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("network.mtu_bytes", "1500 to 9216 bytes"),
        ("jobs.0.checkpoint.block_bytes", "4096 bytes to 1 GB"),
        ("jobs.0.ingest.sample_cpu_s", "0 s to 10 000 s"),
    ],
)
def test_small_bounds_are_printed_exactly(path: str, told: str) -> None:
    item = input_at(path)
    assert item is not None
    assert item.allowed().replace("\u00a0", " ").replace("\u202f", " ") == told


@by_number
def test_a_bound_as_it_is_printed_may_be_typed(item: Input) -> None:
    unit = item.unit or "count"
    for bound in (item.low, item.high):
        assert bound is not None
        for binary in (False, True):
            with sizes(binary=binary):
                typed = parse_value(exact_text(bound, unit).removesuffix("×"), unit)
        assert typed == pytest.approx(bound, rel=1e-12)
    with sizes(binary=True):
        assert "iB" not in item.allowed()


def test_a_refused_mtu_is_told_by_the_byte() -> None:
    error = refused(with_value, START, "network.mtu_bytes", 9300)
    assert error.message == (
        "network.mtu_bytes (MTU): 9300\u00a0bytes is not allowed; use 1500 to 9216\u00a0bytes; "
        "the nearest is 9216\u00a0bytes"
    )


@by_input
def test_nothing_is_allowed_only_where_auto_is(item: Input) -> None:
    if item.auto:
        assert value_at(with_value(START, item.path, None), item.path) is None
    else:
        says_all(refused(with_value, START, item.path, None), item)


@pytest.mark.parametrize("item", [i for i in INPUTS if i.kind == "choice"], ids=lambda item: item.path)
def test_a_choice_is_refused_with_the_choices_and_the_nearest(item: Input) -> None:
    error = refused(with_value, START, item.path, f"{item.choices[0]}x")
    says_all(error, item)
    if isinstance(item.choices[0], str):
        assert f"did you mean {item.choices[0]}?" in error.message
    else:
        assert "did you mean" not in error.message
    for choice in item.choices:
        assert value_at(with_value(START, item.path, choice), item.path) == choice


@pytest.mark.parametrize("item", [i for i in INPUTS if i.kind == "flag"], ids=lambda item: item.path)
def test_a_flag_is_true_or_false(item: Input) -> None:
    error = refused(with_value, START, item.path, 5)
    assert "5 is not allowed; use true or false" in error.message


@pytest.mark.parametrize(
    ("path", "wrong", "meant"),
    [
        ("cluster.node_id", "dgx-h10", "dgx-h100"),
        ("storage.hot.drive_id", "m9550max-640", "m9550max-6400"),
        ("storage.hot.platform_id", "spdk-2u24-gen6", "spdk-2u24-gen5"),
        ("storage.hot.protection_id", "8+22", "8+2"),
        ("storage.file_system.platform_id", "lustre-oss-generik", "lustre-oss-generic"),
        ("storage.object_store.platform_id", "minio-2u25", "minio-2u24"),
        ("network.switch_id", "sn5600x", "sn5600"),
        ("network.nic_id", "cx7-40", "cx7-400"),
        ("jobs.0.model.recipe_id", "adamw-mixd", "adamw-mixed"),
        ("prices.price_set_id", "catalogue-2025", "catalogue-2026"),
    ],
)
def test_an_unknown_id_names_the_field_and_the_nearest_row(path: str, wrong: str, meant: str) -> None:
    error = refused(plan, with_value(START, path, wrong), load_catalogue())
    assert error.field == path
    assert error.message.startswith(f"{path}: ")
    assert f"“{wrong}”" in error.message
    assert f"did you mean {meant}?" in error.message


def test_a_rack_must_have_room_left() -> None:
    full = with_value(with_value(START, "site.rack_height_ru", 10), "site.rack_reserved_ru", 10)
    error = refused(plan, full, load_catalogue())
    assert error.field == "site.rack_reserved_ru"
    assert "10 U leave nothing of a rack of 10 U; use at most 9" in error.message
    assert (
        plan(with_value(full, "site.rack_reserved_ru", 9), load_catalogue()).facility.rack_count.number >= 1
    )


def test_an_id_that_is_like_no_other_lists_some() -> None:
    error = refused(plan, with_value(START, "network.switch_id", "?" * 200), load_catalogue())
    assert "one of sn3700, " in error.message


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("cluster.node_cuont", "cluster.node_count"),
        ("jobs.0.checkpoint.intervall_s", "jobs.0.checkpoint.interval_s"),
        ("jobs.1.name", "jobs.0.name"),
        ("cluster.node_count.x", "cluster.node_count"),
        ("storge.access", "storage.access"),
    ],
)
def test_an_unknown_path_names_the_nearest(path: str, meant: str) -> None:
    for action, arguments in ((value_at, ()), (with_value, (1,))):
        error = refused(action, START, path, *arguments)
        assert error.message == f"no input “{path}”; did you mean {meant}?"
        assert error.field == path


@pytest.mark.parametrize(
    "path",
    [
        "jobs.-1.name",
        "jobs.00.name",
        "jobs.0",
        "jobs",
        "cluster",
        "name.upper",
        "model_fields",
        "",
        ".",
        "x" * 9000,
    ],
)
def test_only_an_input_can_be_set(path: str) -> None:
    assert refused(with_value, START, path, "x").message.startswith("no input “")


# --- a whole scenario ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"cluster": {"node_cuont": 1}}',
            "cluster.node_cuont: there is no such field; did you mean node_count?",
        ),
        ('{"purpose": "One.", "scenario": {}}', "this is a template with its purpose, not a scenario alone"),
        ('{"clutser": {}}', "clutser: there is no such field; did you mean cluster?"),
        (
            '{"jobs": [{"checkpoint": {"intervall_s": 3}}]}',
            "intervall_s: there is no such field; did you mean interval_s?",
        ),
        ('{"zzzzzz": 1}', "zzzzzz: there is no such field"),
        ('{"cluster": []}', "cluster: “[]” is not allowed; use an object with fields"),
        ('{"storage": {"hot": 5}}', "storage.hot: “5” is not allowed; use an object with fields"),
        ('{"jobs": []}', "jobs: 0 jobs is not allowed; use a list of 1 to 16 jobs"),
        ('{"jobs": {}}', "use a list of 1 to 16 jobs"),
        ('{"jobs": null}', "jobs: nothing is not allowed; use a list of 1 to 16 jobs"),
        ('{"jobs": [1]}', "jobs.0: “1” is not allowed; use an object with fields"),
        ('{"jobs": [' + ",".join(["{}"] * 17) + "]}", "jobs: 17 jobs is not allowed"),
        (
            '{"jobs": [{"node_count": 65}]}',
            "job “Training” uses 65 nodes, the cluster has 64; set at most 64",
        ),
        ('{"jobs": [{"checkpoint": {"step_s": 5}}]}', "needs both the number of steps and the step time"),
        ('{"cluster": {"node_count": true}}', "cluster.node_count (GPU nodes): True is not allowed"),
        (
            '{"jobs": [{}, {"node_count": false}]}',
            "jobs.1.node_count (Nodes of this job): False is not allowed",
        ),
        ('{"cluster": {"node_count": 64.5}}', "64.5 is not allowed"),
        ('{"cluster": {"node_count": 64.5}}', "; the nearest are 64 and 65"),
        ('{"jobs": [{"checkpoint": {"interval_s": 1}}]}', "(Checkpoint interval): 1\u00a0s is not allowed"),
        ('{"jobs": [{"checkpoint": {"interval_s": 77760000}}]}', "2.46575\u00a0years is not allowed"),
        ('{"network": {"hash_loss_fraction": 2.5}}', "250\u00a0% is not allowed"),
        ('{"site": {"rack_limit_w": 2e6}}', "2\u00a0MW is not allowed"),
        ('{"site": {"rack_limit_w": ""}}', "an empty text is not allowed"),
        ('{"site": {"rack_limit_w": null}}', "nothing is not allowed"),
        ('{"cluster": {"node_count": 1e300}}', "1e+300 is not allowed"),
        ('{"site": {"rack_limit_w": 1e999}}', "inf is not allowed"),
        ('{"schema_version": 2}', "schema_version: 2 is newer than this planner knows (up to 1)"),
        ('{"schema_version": 123456789012345678901234567890}', "is newer than this planner knows"),
        ('{"schema_version": "1"}', "schema_version: “1” is a text; write the number 1, without quotes"),
        ('{"schema_version": 0}', "schema_version: 0 is no version"),
        ('{"schema_version": true}', "schema_version: True is no version"),
        ('{"schema_version": null}', "schema_version: None is no version"),
        ('{"name": "' + "x" * 201 + '"}', "use a text of at most 200 characters"),
        ('{"name": "\\ud800"}', "name (Name): "),
        ("[]", "a scenario is an object with fields, not a list"),
        ("1", "not a number"),
        ("null", "not null"),
        ('"scenario"', "not a text"),
    ],
)
def test_a_bad_scenario_is_refused_in_one_line(text: str, said: str) -> None:
    assert said in refused(scenario_from_json, text).message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "line 1, column 1: this is no JSON (it is empty)"),
        ("{", "this is no JSON"),
        ('{"name": "x"', "this is no JSON"),
        ('{"name":\n"x" "y"}', "line 2, column 5: this is no JSON"),
        ("name: x", "this is no JSON"),
        ('{"name": "a", "name": "b"}', "name: the field is there twice"),
        ('{"cluster": {"node_count": 1, "node_count": 2}}', "node_count: the field is there twice"),
        ('{"site": {"rack_limit_w": NaN}}', "site.rack_limit_w: NaN is not a number; use 500 W to 1 MW"),
        ('{"site": {"rack_limit_w": -Infinity}}', "-Infinity is not a number"),
        (
            '{"site": {"rack_limit_w": ' + "9" * 5000 + "}}",
            "site.rack_limit_w: 99999999999999999999999… has 5000 digits, too many for a number",
        ),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested deeper than 40 levels"),
        ("[" * 1_000_000, "nested deeper than 40 levels"),
        ('{"a":' * 50_000, "nested deeper than 40 levels"),
        (b"\xff\xfe{\x00}\x00", "the file is not UTF-8 text"),
        (b"PK\x03\x04\x80", "the file is not UTF-8 text"),
        (b" " * (MAX_JSON_BYTES + 1), "at most 5 MB are read"),
        (" " * 50_000_000, "the file is too large: at most 5 MB are read"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_bad_file_is_refused_in_one_line(content: str | bytes, said: str) -> None:
    assert said in refused(scenario_from_json, content).message.replace("\u00a0", " ")


def test_every_truncation_of_a_scenario_is_refused() -> None:
    text = scenario_to_json(START).rstrip()
    for length in range(0, len(text), 37):
        assert "this is no JSON" in refused(scenario_from_json, text[:length]).message


def test_depth_is_counted_outside_of_texts() -> None:
    deep = "[" * 100 + '\\"' + "]" * 100
    assert scenario_from_json(json.dumps({"name": deep[:200]})).name == deep[:200]
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH) == json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)


@pytest.mark.parametrize(
    "content",
    [
        '"' + '\\"' * 500_000,
        '"' * 1_000_000,
        "\\" * 1_000_000,
        "{" + ",".join(f'"{number}": 1' for number in range(100_000)) + ', "99999": 2}',
        '{"name": "' + "\\u0061" * 200_000 + '"}',
        json.dumps({f"field{number}": number for number in range(20_000)}),
        "9" * 1_000_000,
        "-" * 1_000_000,
    ],
    ids=[
        "escaped quotes",
        "quotes",
        "backslashes",
        "a field twice",
        "long text",
        "unknown fields",
        "digits",
        "signs",
    ],
)
def test_a_hostile_file_is_refused(content: str) -> None:
    """So long that reading one in a time that grows with the square of its length would never end."""
    refused(scenario_from_json, content)


def test_every_error_of_a_scenario_is_told_field_by_field() -> None:
    with pytest.raises(InputError) as caught:
        scenario_from_dict({"cluster": {"node_count": 0, "node_id": 5}, "basis": "guid"})
    assert [field for field, _ in caught.value.errors] == ["basis", "cluster.node_id", "cluster.node_count"]
    assert caught.value.message.endswith("(and 2 more)")
    assert all(line.startswith(field) for field, line in caught.value.errors)


def test_of_a_scenario_that_is_wrong_everywhere_fifty_lines_are_told() -> None:
    with pytest.raises(InputError) as caught:
        scenario_from_dict({f"field{number}": number for number in range(60)})
    assert len(caught.value.errors) == 50
    assert caught.value.message.endswith("(and 59 more)")


@settings(max_examples=100)
@given(
    data=st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["jobs", "cluster", "storage", "hot", "name", "node_count", "checkpoint"])
                | st.text(max_size=10),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_data_at_all_is_a_scenario_or_is_refused_in_one_line(data: Any) -> None:
    try:
        scenario = scenario_from_dict(data)
    except PlannerError as error:
        said = error.message
    else:
        assert scenario_from_json(scenario_to_json(scenario)) == scenario
        return
    assert said
    assert "\n" not in said


def test_a_scenario_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValueError, match="frozen"):
        START.cluster.node_count = 5
