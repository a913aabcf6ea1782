"""The configurations that come with the planner."""

import pytest

from planner.architectures import ArchitectureError, describe, library, library_architecture
from tests.architectures.known import CONFIGS, truth

PUBLISHED = {
    "llama-3.1-70b": 70_553_706_496,
    "llama-2-13b": 13_015_864_320,
    "llama-4-scout": 108_641_793_536,
    "llama-4-maverick": 401_583_781_376,
    "qwen2.5-72b": 72_706_203_648,
    "qwen2.5-vl-7b": 8_292_166_656,
    "qwen3-235b-a22b": 235_093_634_560,
    "qwen3-coder-480b-a35b": 480_154_875_392,
    "mixtral-8x22b": 140_620_634_112,
    "mistral-large-2": 122_610_069_504,
    "dbrx-132b": 131_596_523_520,
    "deepseek-moe-16b": 16_375_728_128,
    "deepseek-v2": 235_741_434_880,
    "kimi-k2": 1_026_408_209_408,
    "gpt-oss-120b": 116_829_156_672,
    "gemma-3-27b": 27_432_406_640,
    "flan-t5-xxl": 11_135_332_352,
    "whisper-large-v3": 1_543_490_560,
    "command-r-plus": 103_810_674_688,
    "smollm3-3b": 3_075_098_624,
}


@pytest.mark.parametrize("model", PUBLISHED)
def test_published_totals(model):
    assert library_architecture(model).total_parameters == PUBLISHED[model]


@pytest.mark.parametrize("model", library())
def test_every_entry_is_exact_and_says_where_it_is_from(model):
    entry, found = library()[model], library_architecture(model)
    assert found.kind == "exact"
    assert found.name == entry.name
    assert entry.source in found.source
    assert entry.grade in ("seen", "from memory")
    assert found.shape.layers_count is not None
    assert dict(describe(found))["Known as"] == "exact, by the family's own formula"


def test_list_and_files_are_the_same():
    assert sorted(library()) == sorted(path.stem for path in CONFIGS.glob("*.json"))
    assert len({entry.name for entry in library().values()}) == len(library())


def test_every_configuration_of_the_ground_truth_is_in_the_library():
    assert {row["model"] for row in truth()} <= set(library())


def test_library_cannot_be_changed():
    with pytest.raises(TypeError):
        library()["x"] = None


def test_unknown_entry_names_the_nearest():
    with pytest.raises(ArchitectureError, match=r"did you mean llama-3\.1-70b"):
        library_architecture("llama-3.1-70")


def test_active_parameters_follow_the_convention_and_not_the_vendors():
    assert library_architecture("gpt-oss-120b").active_parameters == 5_711_982_912
    assert library_architecture("deepseek-v3").active_parameters == 37_552_282_624


def test_a_row_of_the_description():
    rows = dict(describe(library_architecture("llama-3.1-8b")))
    assert rows["Parameters"].replace("\u202f", ",") == "8,030,261,248 (8.03 billion)"
    assert rows["Active per token"] == rows["Parameters"]
    assert rows["Output head"].replace("\u202f", ",") == "525,336,576 (525 million)"
    assert rows["Layers"] == "32"
