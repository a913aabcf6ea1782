"""Decoders whose layers are all alike: attention and one dense MLP."""

from __future__ import annotations

from planner.architectures.blocks import (
    Layers,
    decoder,
    each_head_norm,
    head_norm,
    heads_of,
    width_norm,
)
from planner.architectures.config import Config
from planner.architectures.tally import ATTENTION, MLP, NORMS, Tally

DENSE: dict[str, Layers] = {
    "llama": Layers(mlp_bias="mlp_bias"),
    "apertus": Layers(qk_norm=head_norm, gated=False),
    "arcee": Layers(gated=False, mlp_bias="mlp_bias"),
    "bitnet": Layers(),
    "cohere": Layers(qk_norm=each_head_norm, qk_switch="use_qk_norm", norms_count=1),
    "cohere2": Layers(norms_count=1),
    "ernie4_5": Layers(bias="use_bias", mlp_bias="use_bias"),
    "exaone": Layers(mlp_bias="mlp_bias"),
    "exaone4": Layers(bias=False, qk_norm=head_norm),
    "gemma": Layers(),
    "gemma2": Layers(norms_count=4),
    "gemma3_text": Layers(norms_count=4, qk_norm=head_norm),
    "glm": Layers(out_bias=False),
    "glm4": Layers(out_bias=False, norms_count=4),
    "granite": Layers(mlp_bias="mlp_bias"),
    "helium": Layers(out_bias=False, mlp_bias="mlp_bias"),
    "hunyuan_v1_dense": Layers(qk_norm=head_norm),
    "internlm3": Layers(mlp_bias="mlp_bias"),
    "ministral": Layers(bias=False),
    "ministral3": Layers(bias=False),
    "mistral": Layers(bias=False),
    "nemotron": Layers(gated=False, mlp_bias="mlp_bias", norm_bias=True),
    "olmo": Layers(norms_count=0, final_norm=False),
    "olmo2": Layers(qk_norm=width_norm),
    "olmo3": Layers(qk_norm=width_norm),
    "phi3": Layers(bias=False),
    "qwen2": Layers(bias=True, out_bias=False),
    "qwen2_vl_text": Layers(bias=True, out_bias=False),
    "qwen2_5_vl_text": Layers(bias=True, out_bias=False),
    "qwen3": Layers(qk_norm=head_norm),
    "qwen3_vl_text": Layers(qk_norm=head_norm),
    "seed_oss": Layers(out_bias="attention_out_bias", mlp_bias="mlp_bias"),
    "smollm3": Layers(mlp_bias="mlp_bias"),
    "stablelm": Layers(bias="use_qkv_bias", out_bias=False, norm_bias=True, stated_size=False,
                       qk_norm=each_head_norm, qk_switch="qk_layernorm"),
    "starcoder2": Layers(bias="use_bias", mlp_bias="use_bias", gated=False, norm_bias=True),
    "vaultgemma": Layers(),
    "voxtral_text": Layers(mlp_bias="mlp_bias"),
}  # fmt: skip
"""How each family builds its layers."""


def dense(config: Config) -> Tally:
    """Embedding, layers and final norm of a family in `DENSE`."""
    layers = DENSE[config.family]
    tally = decoder(config, layers)
    _SPECIAL.get(config.family, _nothing)(config, tally)
    return tally


def plain_llama(config: Config) -> Tally:
    """Layers as llama's without any bias, whatever the file says."""
    return decoder(config, Layers(bias=False, stated_size=False))


def _nothing(_config: Config, _tally: Tally) -> None:
    """The table says it all."""


def _apertus(config: Config, tally: Tally) -> None:
    """Two learnt numbers of the activation in each layer."""
    if config.word("hidden_act", otherwise="xielu") == "xielu":
        tally.add(MLP, 2 * config.size("num_hidden_layers"))


def _bitnet(config: Config, tally: Tally) -> None:
    """A norm inside attention and one inside the MLP."""
    tally.add(
        NORMS,
        config.size("num_hidden_layers") * (config.size("hidden_size") + config.size("intermediate_size")),
    )


def _stablelm(config: Config, tally: Tally) -> None:
    """With a parallel residual both branches share one norm."""
    if config.flag("use_parallel_residual"):
        tally.add(NORMS, -2 * config.size("hidden_size") * config.size("num_hidden_layers"))


def _helium(config: Config, tally: Tally) -> None:
    """The output projection is as wide as the hidden size, whatever the heads are."""
    heads = heads_of(config)
    tally.add(ATTENTION, config.size("num_hidden_layers") * heads.hidden * (heads.hidden - heads.query_width))


_SPECIAL = {"apertus": _apertus, "bitnet": _bitnet, "helium": _helium, "stablelm": _stablelm}
