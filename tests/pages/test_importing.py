"""A model dropped on the Plan screen moves parameters, checkpoint, stall, goodput and money."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from planner.architectures import library, library_architecture
from tests.pages.visitor import cells, clean, figure, lines, open_panel, press_named, show, visit

START = "jobs.0.model"


def importing() -> AppTest:
    at = show(visit(), "ui.group", "Model")
    return open_panel(at, "ui.model")


def drop(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    return clean(
        at.file_uploader(key="model.files")
        .set_value([(name, content, "application/json") for name, content in files])
        .run()
    )


def config(entry: str) -> bytes:
    """The published configuration of a model of the library."""
    return library()[entry].path.read_bytes()


def parameters(at: AppTest) -> int:
    """Parameters of the first job's model, as its field says."""
    return int(
        at.session_state["_inputs"][f"{START}.parameter_count"].split("\u00a0")[0].replace("\u202f", "")
    )


def test_a_configuration_without_a_name_is_called_by_family_and_size() -> None:
    bare = json.loads(config("llama-3.1-8b")) | {"_name_or_path": "", "name": ""}
    at = drop(importing(), ("config.json", json.dumps(bare).encode()))
    assert at.text_input(key=f"{START}.name").value == "llama 8.03B"
    assert at.text_input(key="jobs.0.name").value == "Training llama 8.03B"


def test_a_dropped_configuration_moves_the_plan() -> None:
    at = importing()
    before = {label: figure(at, label) for label in ("Checkpoint", "Stall", "Goodput", "Cost, high")}
    drop(at, ("config.json", config("llama-3.1-405b")))
    assert lines(at) == []
    # 405,853,388,800 parameters at 14 bytes
    assert figure(at, "Checkpoint").replace("\\", "") == "5.68\u00a0TB"
    assert all(figure(at, label) != value for label, value in before.items())
    rows = {row[""]: row["Model"] for row in cells(at, 0)}
    assert rows["Parameters"].startswith("405\u202f853\u202f388\u202f800")


def test_a_mixture_of_experts_saves_all_and_computes_few() -> None:
    at = importing()
    drop(at, ("config.json", config("deepseek-v3")))
    found = library_architecture("deepseek-v3")
    show(at, "ui.group", "Model")
    clean(at.toggle(key="ui.more").set_value(True).run())
    held = at.session_state["_inputs"]
    assert held[f"{START}.parameter_count"].replace("\u202f", "") == str(found.total_parameters)
    assert held[f"{START}.active_parameter_count"].replace("\u202f", "") == str(found.active_parameters)
    assert held[f"{START}.expert_parameter_count#auto"] is False
    assert held[f"{START}.layer_count"] == "61"


def test_the_library_takes_one_choice() -> None:
    at = importing()
    clean(at.selectbox(key="model.library").set_value("qwen3-235b-a22b").run())
    assert at.session_state["_inputs"][f"{START}.name"] == library()["qwen3-235b-a22b"].name
    dense = clean(at.selectbox(key="model.library").set_value("llama-3.1-8b").run())
    assert dense.session_state["_inputs"][f"{START}.active_parameter_count#auto"] is True


def test_pasted_text_is_read() -> None:
    at = importing()
    at.text_area(key="model.text").set_value(config("llama-3.1-8b").decode())
    press_named(at, "Read the text")
    assert parameters(at) == 8_030_261_248


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("config.json", b"<!DOCTYPE html><html></html>", "web page"),
        ("config.json", b"", "empty"),
        ("adapter_config.json", json.dumps({"peft_type": "LORA", "r": 8}).encode(), "adapter"),
        ("config.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "LFS"),
        ("config.json", b"\x00\x01\x02binary", "config.json"),
    ],
)
def test_what_is_no_model_is_one_line_and_changes_nothing(name: str, content: bytes, says: str) -> None:
    at = importing()
    before = dict(at.session_state["_inputs"])
    drop(at, (name, content))
    (line,) = lines(at)
    assert says in line
    assert at.session_state["_inputs"] == before
    clean(at.selectbox(key="model.library").set_value("llama-3.1-8b").run())
    assert lines(at) == []


def test_the_second_job_takes_its_own_model() -> None:
    at = importing()
    first = at.session_state["_inputs"][f"{START}.name"]
    press_named(at, "Add job")
    clean(at.selectbox(key="model.library").set_value("llama-3.1-8b").run())
    held = at.session_state["_inputs"]
    assert held[f"{START}.name"] == first
    assert held["jobs.1.model.name"] == library()["llama-3.1-8b"].name


def test_the_newest_file_replaces_an_older_model() -> None:
    at = importing()
    first, second = ("a.json", config("llama-3.1-8b")), ("b.json", config("qwen3-0.6b"))
    drop(at, first)
    drop(at, first, second)
    assert lines(at) == []
    assert parameters(at) == library_architecture("qwen3-0.6b").total_parameters
    assert any("Left out" in item.value and "a.json" in item.value.replace("\\", "") for item in at.caption)


def test_a_bad_file_in_the_list_blocks_nothing_and_its_error_goes_with_it() -> None:
    at = importing()
    bad, good = ("notes.txt", b"not a model"), ("config.json", config("llama-3.1-8b"))
    drop(at, bad)
    assert len(lines(at)) == 1
    drop(at, bad, good)
    assert lines(at) == []
    assert parameters(at) == 8_030_261_248
    again = importing()
    drop(again, bad)
    drop(again)
    assert lines(again) == []


def test_the_job_is_named_after_its_model_unless_somebody_named_it() -> None:
    at = importing()
    assert at.session_state["_inputs"]["jobs.0.name"] == "Training 70B"
    for entry in ("llama-3.1-8b", "qwen3-0.6b"):
        clean(at.selectbox(key="model.library").set_value(entry).run())
        assert at.session_state["_inputs"]["jobs.0.name"] == f"Training {library()[entry].name}"
    named = show(visit(), "ui.group", "Model")
    named.text_input(key="jobs.0.name").set_value("Training for the spring").run()
    open_panel(named, "ui.model")
    clean(named.selectbox(key="model.library").set_value("llama-3.1-8b").run())
    assert named.session_state["_inputs"]["jobs.0.name"] == "Training for the spring"
