"""Headers, indexes, original parameter files and descriptions from the Hub; several files of one model."""

import json

import pytest

from planner.architectures import ArchitectureError, as_json, read_architecture, reconcile
from tests.architectures.known import config, header

LLAMA_2_7B = {
    "dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": -1,
}  # fmt: skip
LLAMA_2_70B = {
    "dim": 8192, "multiple_of": 4096, "ffn_dim_multiplier": 1.3, "n_heads": 64, "n_kv_heads": 8, "n_layers": 80,
    "norm_eps": 1e-05, "vocab_size": -1,
}  # fmt: skip
LLAMA_3_8B = {
    "dim": 4096, "ffn_dim_multiplier": 1.3, "multiple_of": 1024, "n_heads": 32, "n_kv_heads": 8, "n_layers": 32,
    "norm_eps": 1e-05, "rope_theta": 500000.0, "vocab_size": 128256,
}  # fmt: skip
LLAMA_32_1B = {
    "dim": 2048, "ffn_dim_multiplier": 1.5, "multiple_of": 256, "n_heads": 32, "n_kv_heads": 8, "n_layers": 16,
    "norm_eps": 1e-05, "rope_theta": 500000.0, "use_scaled_rope": True, "vocab_size": 128256,
}  # fmt: skip
MISTRAL_7B = {
    "dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
    "norm_eps": 1e-05, "vocab_size": 32000,
}  # fmt: skip
MIXTRAL_8X7B = {**MISTRAL_7B, "moe": {"num_experts_per_tok": 2, "num_experts": 8}}


@pytest.mark.parametrize(
    ("values", "kind", "total"),
    [
        (LLAMA_2_7B, "estimate", 6_738_415_616),
        (LLAMA_2_70B, "estimate", 68_976_648_192),
        (LLAMA_3_8B, "exact", 8_030_261_248),
        (LLAMA_32_1B, "exact", 1_235_814_400),
        (MISTRAL_7B, "exact", 7_241_732_096),
        (MIXTRAL_8X7B, "exact", 46_702_792_704),
    ],
)
def test_original_parameters(values, kind, total):
    found = read_architecture(json.dumps(values), filename="params.json")
    assert (found.kind, found.total_parameters) == (kind, total)


def test_original_experts_and_what_was_assumed():
    found = read_architecture(json.dumps(MIXTRAL_8X7B))
    assert found.active_parameters == 12_879_925_248
    assert "32,000" in read_architecture(json.dumps(LLAMA_2_7B)).assumed[0]
    with pytest.raises(ArchitectureError, match="moe_args"):
        read_architecture(json.dumps({**LLAMA_3_8B, "moe_args": {"num_experts": 16}}))


def test_original_parameters_that_leave_something_open_are_an_estimate():
    for values in ({**LLAMA_3_8B, "vocab_size": None}, {**MISTRAL_7B, "vocab_size": None}):
        found = read_architecture(json.dumps(values))
        assert (found.kind, "32,000" in found.assumed[0]) == ("estimate", True)
    twice = json.dumps(LLAMA_3_8B).replace('"dim": 4096', '"dim": 2048, "dim": 4096')
    assert read_architecture(twice).kind == "estimate"


def test_a_number_format_that_no_tensor_has_is_passed_over():
    told = {"id": "a/b", "safetensors": {"parameters": {"BF16": 100, "I64": 0}}}
    assert read_architecture(json.dumps(told)).total_parameters == 100
    told["safetensors"]["parameters"]["I64"] = -1
    with pytest.raises(ArchitectureError, match=r"safetensors\.parameters\.I64: -1 is not above zero"):
        read_architecture(json.dumps(told))


def raw(values: dict) -> bytes:
    text = json.dumps(values).encode()
    return len(text).to_bytes(8, "little") + text


def test_first_bytes_of_a_safetensors_file():
    values = {"__metadata__": {"format": "pt"}, **header("gpt2")}
    found = read_architecture(raw(values) + bytes(5000), filename="model.safetensors")
    assert found.total_parameters == 124_439_808
    assert found.shape.layers_count == 12


def test_one_shard_says_so_and_shards_add_up():
    tensors = list(header("llama-3.1-8b").items())
    shards = [dict(tensors[:100]), dict(tensors[100:])]
    read = [
        read_architecture(raw(shard), filename=f"model-{i:05d}-of-00002.safetensors")
        for i, shard in enumerate(shards, 1)
    ]
    assert "one of 2 shards" in read[0].remarks[0]
    assert reconcile(read).total_parameters == 8_030_261_248
    assert reconcile([read_architecture(config("llama-3.1-8b")), *read]).kind == "exact"


def test_buffers_scales_and_prediction_layers_are_no_parameters():
    tensors = header("llama-3.1-8b")
    extra = {
        "model.layers.0.self_attn.rotary_emb.inv_freq": [64],
        "model.layers.0.self_attn.q_proj.weight_scale_inv": [32, 32],
        "model.layers.32.eh_proj.weight": [4096, 8192],
        "model.layers.32.mlp.up_proj.weight": [14336, 4096],
        "model.layers.32.embed_tokens.weight": [128256, 4096],
    }
    tensors |= {name: {"dtype": "F32", "shape": shape} for name, shape in extra.items()}
    found = read_architecture(json.dumps(tensors))
    assert found.total_parameters == 8_030_261_248
    assert {part.name: part.parameters for part in found.beside} == {
        "Persistent buffers": 64,
        "Scales of quantised weights": 32 * 32,
        "Extra prediction layers": 4096 * 8192 + 14336 * 4096,
        "Copies of tied tensors": 128256 * 4096,
    }
    assert found.shape.layers_count == 32


def test_four_bit_weights_are_unpacked():
    packed = {
        "model.layers.0.mlp.experts.down_proj_blocks": {"dtype": "U8", "shape": [32, 2880, 90, 16]},
        "model.layers.0.mlp.experts.down_proj_scales": {"dtype": "U8", "shape": [32, 2880, 90]},
    }
    assert read_architecture(json.dumps(packed)).total_parameters == 32 * 2880 * 2880
    words = {"model.layers.0.self_attn.q_proj.qweight": {"dtype": "I32", "shape": [512, 4096]}}
    found = read_architecture(json.dumps(words))
    assert (found.kind, found.total_parameters) == ("estimate", 4096 * 4096)


def test_place_that_does_not_fit_is_a_remark():
    found = read_architecture('{"a.weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 8]}}')
    assert "a.weight: its place in the file" in found.remarks[0]


def index(**metadata: object) -> str:
    return json.dumps({"metadata": metadata, "weight_map": {"model.layers.7.mlp.up_proj.weight": "a"}})


def test_index_that_states_its_total():
    found = read_architecture(index(total_parameters=8_030_261_248, total_size=16_060_522_496))
    assert (found.kind, found.total_parameters) == ("stated", 8_030_261_248)
    assert (found.stored_bytes, found.shape.layers_count) == (16_060_522_496, 8)
    together = reconcile([read_architecture(config("llama-3.1-8b")), found])
    assert together.kind == "exact"
    assert "to the last parameter" in together.remarks[-1]


@pytest.mark.parametrize("share", [0.029, 0.031])
def test_disagreement_is_shown_above_three_percent(share):
    stated = round(8_030_261_248 * (1 + share))
    together = reconcile(
        [read_architecture(config("llama-3.1-8b")), read_architecture(index(total_parameters=stated))]
    )
    assert (together.kind, together.total_parameters) == ("stated", stated)
    assert any("they disagree" in remark for remark in together.remarks) == (share > 0.03)
    assert sum(part.parameters for part in together.breakdown) == stated
    assert together.breakdown[-1].name == "Not in the formula"


def test_stated_total_below_the_formula():
    stated = read_architecture(index(total_parameters=5_000_000_000))
    together = reconcile([read_architecture(config("llama-3.1-8b")), stated])
    assert together.total_parameters == together.active_parameters == 5_000_000_000
    assert sum(part.parameters for part in together.breakdown) == 5_000_000_000


def test_float32_files_of_a_bfloat16_configuration():
    stored = read_architecture(index(total_size=4 * 8_030_261_248))
    together = reconcile([read_architecture(config("llama-3.1-8b")), stored])
    assert (together.kind, together.total_parameters) == ("exact", 8_030_261_248)
    assert "4-byte numbers (float32), although the configuration speaks of bfloat16" in together.remarks[-1]


def test_bytes_of_another_model_disagree():
    stored = read_architecture(index(total_size=24_000_000_000))
    together = reconcile([read_architecture(config("llama-3.1-8b")), stored])
    assert "disagree with the parameter count by more than 3 %" in together.remarks[-1]


def test_bytes_that_hold_the_tied_head_twice_are_explained():
    stored = read_architecture(index(total_size=2 * 751_632_384))
    together = reconcile([read_architecture(config("qwen3-0.6b")), stored])
    assert together.total_parameters == 596_049_920
    assert "the embedding stored a second time" in together.remarks[-1]


def test_nothing_to_reconcile():
    with pytest.raises(ArchitectureError, match="at least one"):
        reconcile([])


def test_unknown_decoder_is_an_estimate_that_says_what_it_assumed():
    values = {
        "model_type": "novel", "n_embd": 4096, "n_layer": 32, "n_head": 32, "num_kv_heads": 8,
        "ffn_hidden_size": 14336, "padded_vocab_size": 128256, "hidden_act": "silu",
    }  # fmt: skip
    found = read_architecture(json.dumps(values))
    assert (found.kind, found.total_parameters, found.family) == ("estimate", 8_030_261_248, "")
    assert "“novel” is not known" in found.assumed[0]
    assert "an MLP with a gate" in found.assumed


def test_unknown_class_of_a_known_family_is_an_estimate():
    values = {**json.loads(config("llama-3.1-8b")), "architectures": ["LlamaForRewards"]}
    found = read_architecture(json.dumps(values))
    assert found.kind == "estimate"
    assert "LlamaForRewards" in found.assumed[-1]


def test_family_by_class_where_the_type_was_renamed():
    found = read_architecture(config("mamba-2.8b"))
    assert (found.family, found.kind) == ("mamba", "exact")


def test_shape_of_the_text_model():
    shape = read_architecture(config("llama-3.1-8b")).shape
    assert (shape.layers_count, shape.hidden_size, shape.heads_count) == (32, 4096, 32)
    assert (shape.kv_heads_count, shape.head_size, shape.vocabulary_size) == (8, 128, 128256)
    experts = read_architecture(config("qwen3-30b-a3b")).shape
    assert (experts.experts_count, experts.active_experts_count) == (128, 8)


def test_known_whole_with_an_unknown_text_model_is_an_estimate():
    values = json.loads(config("llava-1.5-7b"))
    values["text_config"] |= {
        "model_type": "novel", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "intermediate_size": 11008,
    }  # fmt: skip
    found = read_architecture(json.dumps(values))
    # A llama of the same sizes in its place gives the published 7,063,427,072; the tower is known either way.
    assert (found.kind, found.total_parameters) == ("estimate", 7_063_427_072)
    assert any("llava" in text for text in found.assumed)


def test_plain_values_for_the_command_line():
    told = as_json(read_architecture(config("mixtral-8x7b"), filename="config.json"))
    assert json.loads(json.dumps(told)) == told
    assert (told["family"], told["basis"], told["source"]) == ("mixtral", "exact", "config.json")
    assert (told["total_params"], told["active_params"]) == (46_702_792_704, 12_879_925_248)
    assert sum(told["breakdown"].values()) == told["total_params"]
    assert as_json(read_architecture(index(total_size=100)))["basis"] == "estimate"


GLM = {
    "model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "ffn_hidden_size": 13696,
    "kv_channels": 128, "multi_query_attention": True, "multi_query_group_num": 2, "add_qkv_bias": True,
    "add_bias_linear": False,
}  # fmt: skip
SEVEN = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}


@pytest.mark.parametrize(
    ("values", "published"),
    [
        ({**GLM, "architectures": ["ChatGLMModel"], "num_layers": 28, "padded_vocab_size": 65024}, 6_243_584_000),
        ({**GLM, "num_layers": 40, "padded_vocab_size": 151552}, 9_399_951_360),
        ({**SEVEN, "model_type": "qwen", "intermediate_size": 22016, "vocab_size": 151936}, 7_721_324_544),
        ({**SEVEN, "model_type": "baichuan", "intermediate_size": 11008, "vocab_size": 125696}, 7_505_973_248),
        (
            {
                **SEVEN, "model_type": "internlm2", "intermediate_size": 14336, "vocab_size": 92544, "bias": False,
                "num_key_value_heads": 8,
            },
            7_737_708_544,
        ),
    ],
)  # fmt: skip
def test_families_whose_code_travels_with_the_model(values, published):
    found = read_architecture(json.dumps(values))
    assert (found.kind, found.total_parameters) == ("exact", published)


def named(model: str, name: str):
    return read_architecture(config(model), filename=name)


def test_configurations_of_two_models_are_refused_by_name():
    with pytest.raises(ArchitectureError, match=r"a\.json .*8\u202f030\u202f261\u202f248.* and b\.json"):
        reconcile([named("llama-3.1-8b", "a.json"), named("qwen3-0.6b", "b.json")])
    twice = reconcile([named("llama-3.1-8b", "a.json"), named("llama-3.1-8b", "b.json")])
    assert (twice.kind, twice.total_parameters) == ("exact", 8_030_261_248)


def test_an_original_file_and_a_configuration_of_one_model_agree():
    original = read_architecture(json.dumps(LLAMA_3_8B), filename="params.json")
    assert reconcile([original, named("llama-3.1-8b", "config.json")]).total_parameters == 8_030_261_248


@pytest.mark.parametrize(
    "metadata",
    [{"total_parameters": 405_853_388_800}, {"total_size": 811_706_777_600}],
)
def test_an_index_of_another_model_is_refused(metadata):
    other = read_architecture(index(**metadata), filename="model.safetensors.index.json")
    with pytest.raises(ArchitectureError, match="different models"):
        reconcile([named("llama-3.1-8b", "config.json"), other])


def test_headers_of_two_models_are_refused():
    one = read_architecture(raw(header("llama-3.1-8b")), filename="a.safetensors")
    other = read_architecture(raw(header("gpt2")), filename="b.safetensors")
    with pytest.raises(ArchitectureError, match="different models"):
        reconcile([one, other])
    with pytest.raises(ArchitectureError, match="different models"):
        reconcile([named("llama-3.1-8b", "config.json"), other])


def test_shards_of_two_sets_are_refused():
    tensors = list(header("llama-3.1-8b").items())
    shards = [
        read_architecture(raw(dict(part)), filename=name)
        for part, name in (
            (tensors[:100], "model-00001-of-00002.safetensors"),
            (tensors[100:], "model-00002-of-00003.safetensors"),
        )
    ]
    with pytest.raises(ArchitectureError, match="different models"):
        reconcile(shards)


def test_one_shard_beside_the_configuration_leaves_the_formula():
    shard = read_architecture(
        raw(dict(list(header("llama-3.1-8b").items())[:100])), filename="model-00001-of-00002.safetensors"
    )
    together = reconcile([named("llama-3.1-8b", "config.json"), shard])
    assert (together.kind, together.total_parameters) == ("exact", 8_030_261_248)
    assert any("only 1 of 2 shards are here" in remark for remark in together.remarks)
