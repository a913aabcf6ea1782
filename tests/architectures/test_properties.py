"""What holds for every configuration, and that no file whatever breaks the reader."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from planner.architectures import ArchitectureError, library, read_architecture
from tests.architectures.known import adds_up, class_counts, config

FIXED = settings(max_examples=60)
DENSE = ("llama", "mistral", "qwen2", "qwen3", "gemma2", "phi", "falcon", "gpt_neox", "opt", "starcoder2")
SPARSE = ("mixtral", "qwen3_moe", "deepseek_v3", "gpt_oss", "olmoe", "glm4_moe", "llama4_text", "jamba")
widths = st.integers(1, 64).map(lambda n: 64 * n)
layers = st.integers(1, 60)
experts = st.integers(2, 128)


def count(family: str, **values: int):
    return read_architecture(json.dumps({"model_type": family, "num_attention_heads": 16, **values}))


@FIXED
@given(st.sampled_from(DENSE + SPARSE), layers, layers)
def test_more_layers_never_fewer_parameters(family, one, other):
    few, more = sorted((one, other))
    small, large = count(family, num_hidden_layers=few), count(family, num_hidden_layers=more)
    assert small.total_parameters <= large.total_parameters
    assert small.active_parameters <= large.active_parameters


@FIXED
@given(st.sampled_from(DENSE + SPARSE), widths, widths)
def test_wider_never_fewer_parameters(family, one, other):
    few, more = sorted((one, other))
    small, large = count(family, hidden_size=few), count(family, hidden_size=more)
    assert small.total_parameters <= large.total_parameters


@FIXED
@given(st.sampled_from(("mixtral", "gpt_oss", "granitemoe", "phimoe")), experts, experts)
def test_more_experts_never_fewer_parameters_and_hardly_more_active_ones(family, one, other):
    few, more = sorted((one, other))
    small, large = count(family, num_local_experts=few), count(family, num_local_experts=more)
    assert small.total_parameters <= large.total_parameters
    routed = {part.name: part.active_parameters for part in small.breakdown}["Routed experts"]
    if few >= small.shape.active_experts_count:
        assert {p.name: p.active_parameters for p in large.breakdown}["Routed experts"] == routed


@FIXED
@given(st.sampled_from(DENSE), layers, widths)
def test_dense_models_are_wholly_active(family, count_of_layers, width):
    found = count(family, num_hidden_layers=count_of_layers, hidden_size=width)
    assert found.dense
    assert found.active_parameters == found.total_parameters


def read_or_refuse(content: bytes | str) -> None:
    """Only the one error may come out, and it is one line."""
    line = ""
    try:
        found = read_architecture(content)
    except ArchitectureError as error:
        line = error.message
        found = None
    assert bool(line) != bool(found)
    assert "\n" not in line
    if found:
        assert adds_up(found)


MODELS = sorted(library())
FUZZ = settings(max_examples=150)


@FUZZ
@given(st.sampled_from(MODELS), st.data())
def test_mutated_bytes_never_break_the_reader(model, data):
    content = bytearray(config(model))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(st.binary(max_size=4))
        content[place : place + data.draw(st.integers(0, 8))] = piece
    read_or_refuse(bytes(content))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@FUZZ
@given(st.sampled_from(class_counts()), st.data())
def test_mutated_values_never_break_the_reader(line, data):
    values = json.loads(json.dumps(line["config"]))
    for _ in range(data.draw(st.integers(1, 3))):
        nested = [key for key in values if isinstance(values[key], dict)]
        place = values[data.draw(st.sampled_from(nested))] if nested and data.draw(st.booleans()) else values
        if place:
            place[data.draw(st.sampled_from(sorted(place)))] = data.draw(anything)
    read_or_refuse(json.dumps(values))


@FUZZ
@given(st.binary(max_size=300) | st.text(max_size=300))
def test_noise_never_breaks_the_reader(content):
    read_or_refuse(content)


@FUZZ
@given(
    st.dictionaries(st.text(max_size=12), anything, max_size=5),
    st.sampled_from(("weight_map", "metadata", "safetensors", "a")),
)
def test_objects_of_any_shape_never_break_the_reader(values, key):
    read_or_refuse(json.dumps({**values, key: values}))
    read_or_refuse(json.dumps({"x": {"dtype": "F32", "shape": [1], **values}}))
    read_or_refuse(json.dumps({"dim": 8, "n_layers": 2, "n_heads": 2, **values}))
