"""Every row of the ground truth, to the last parameter."""

import json

import pytest

from planner.architectures import read_architecture, reconcile
from tests.architectures.known import adds_up, config, header, index, truth

ROWS = {row["model"]: row for row in truth()}
INDEXED = [model for model, row in ROWS.items() if row["index_file"]]
PUBLISHED = [model for model, row in ROWS.items() if row["hf_safetensors_total"]]
NOT_EXPLAINED = {
    "bert-base-uncased": "the published file has other heads than the class in the configuration",
    "gpt-j-6b": "the published figure counts sharded copies",
}


def parts(model: str) -> dict[str, int]:
    return {part.name: part.parameters for part in read_architecture(config(model)).breakdown}


def test_all_thirty_five_rows_are_there():
    assert len(ROWS) == 35
    assert len(INDEXED) == 8


@pytest.mark.parametrize("model", ROWS)
def test_total_and_active_are_exact(model):
    row, found = ROWS[model], read_architecture(config(model), filename=ROWS[model]["config_file"])
    assert found.kind == "exact"
    assert found.total_parameters == int(row["total_params"])
    assert found.active_parameters == int(row["active_params"] or row["total_params"])
    assert adds_up(found)


@pytest.mark.parametrize("model", ROWS)
def test_parts_are_the_known_ones(model):
    row, found = ROWS[model], parts(model)
    if row["embed_params"]:
        assert found["Token embedding"] == int(row["embed_params"])
    assert found.get("Routed experts", 0) == int(row["routed_expert_params"] or 0)
    joined = found.get("Vision tower", 0) + found.get("Projector", 0)
    assert joined == int(row["vision_audio_params"] or 0)


def test_what_files_of_deepseek_v3_hold_beside_the_model():
    row = ROWS["deepseek-v3"]
    beside = {part.name: part.parameters for part in read_architecture(config("deepseek-v3")).beside}
    assert beside == {
        "Extra prediction layers": int(row["mtp_params_unique"]),
        "Copies of tied tensors": int(row["mtp_copies"]),
        "Persistent buffers": int(row["persistent_buffers"]),
    }


@pytest.mark.parametrize("model", INDEXED)
def test_index_agrees_with_the_formula(model):
    row = ROWS[model]
    stored = read_architecture(index(row["index_file"]), filename=row["index_file"])
    per_parameter = int(row["index_stored_bytes_per_param"])
    assert stored.stored_bytes == int(row["index_total_size"])
    assert stored.stored_bytes - per_parameter * int(row["total_params"]) == int(
        row["index_minus_params_bytes"]
    )
    together = reconcile([read_architecture(config(model)), stored])
    assert (together.kind, together.total_parameters) == ("exact", int(row["total_params"]))
    assert together.stored_bytes == stored.stored_bytes
    assert not any("disagree" in remark for remark in together.remarks)


@pytest.mark.parametrize("model", INDEXED)
def test_index_alone_assumes_two_bytes_and_says_so(model):
    row = ROWS[model]
    stored = read_architecture(index(row["index_file"]))
    assert stored.kind == "stored"
    assert stored.total_parameters == int(row["index_total_size"]) // 2
    assert "2 bytes per parameter" in stored.assumed[0]


@pytest.mark.parametrize("model", PUBLISHED)
def test_published_total_is_explained_or_counts(model):
    row, total = ROWS[model], int(ROWS[model]["hf_safetensors_total"])
    stated = read_architecture(json.dumps({"id": model, "safetensors": {"total": total}}))
    together = reconcile([read_architecture(config(model)), stated])
    if model in NOT_EXPLAINED:
        assert (together.kind, together.total_parameters) == ("stated", total)
        assert any("they differ by" in remark for remark in together.remarks)
    else:
        assert (together.kind, together.total_parameters) == ("exact", int(row["total_params"]))
        explained = "the difference is" if total != int(row["total_params"]) else "to the last parameter"
        assert any(explained in remark for remark in together.remarks)


@pytest.mark.parametrize("model", ROWS)
def test_header_with_the_tensors_of_the_class_has_its_total(model):
    found = read_architecture(json.dumps(header(model)), filename="model.safetensors")
    assert found.kind == "stated"
    assert found.total_parameters == int(ROWS[model]["total_params"])
    assert found.stored_bytes == 2 * found.total_parameters
    assert found.stored_dtype == "BF16"


@pytest.mark.parametrize("model", [model for model in ROWS if not model.startswith("vit-")])
def test_header_is_divided_as_the_formula_divides(model):
    by_name = {p.name: p.parameters for p in read_architecture(json.dumps(header(model))).breakdown}
    by_formula = parts(model)
    for name in (
        "Token embedding",
        "Routed experts",
        "Shared experts",
        "Router",
        "Vision tower",
        "Projector",
    ):
        assert by_name.get(name, 0) == by_formula.get(name, 0), name
