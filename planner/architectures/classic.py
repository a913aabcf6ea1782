"""Decoders from before the present standard: biases everywhere, position tables, fused projections."""

from __future__ import annotations

from collections.abc import Callable

from planner.architectures.blocks import Layers, decoder, even_head, switched
from planner.architectures.config import Config
from planner.architectures.tally import (
    ATTENTION,
    EMBEDDING,
    MLP,
    NORMS,
    POSITIONS,
    PROJECTOR,
    Tally,
    layer_norm,
    linear,
    plain_mlp,
)


def _start(config: Config, *, width: int | None = None, positions: int = 0) -> Tally:
    tally = Tally()
    hidden = config.size("hidden_size")
    tally.add(EMBEDDING, config.size("vocab_size") * (width or hidden))
    tally.add(POSITIONS, positions * hidden)
    return tally


def _inner(config: Config, key: str, *, times: int = 4) -> int:
    """Width of the MLP; null or missing means a multiple of the hidden size."""
    return config.optional(key) or times * config.size("hidden_size")


def gpt2(config: Config) -> Tally:
    """Biases everywhere, a position table, tied head."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config, positions=config.size("n_positions"))
    tally.add(ATTENTION, layers * (linear(hidden, 3 * hidden, bias=True) + linear(hidden, hidden, bias=True)))
    tally.add(MLP, layers * plain_mlp(hidden, _inner(config, "n_inner"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


def gpt_bigcode(config: Config) -> Tally:
    """As gpt2, all query heads sharing one key and value head if `multi_query`."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    size = even_head(config, "num_attention_heads", hidden=hidden, queries=config.size("num_attention_heads"))
    keys = size if config.flag("multi_query") else hidden
    tally = _start(config, positions=config.size("n_positions"))
    tally.add(
        ATTENTION, layers * (linear(hidden, hidden + 2 * keys, bias=True) + linear(hidden, hidden, bias=True))
    )
    tally.add(MLP, layers * plain_mlp(hidden, _inner(config, "n_inner"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


def gpt_neo(config: Config) -> Tally:
    """As gpt2, query, key and value without bias."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config, positions=config.size("max_position_embeddings"))
    tally.add(ATTENTION, layers * (linear(hidden, 3 * hidden) + linear(hidden, hidden, bias=True)))
    tally.add(MLP, layers * plain_mlp(hidden, _inner(config, "intermediate_size"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


def gptj(config: Config) -> Tally:
    """A parallel block with one norm, rotary positions, attention without bias."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config)
    tally.add(ATTENTION, layers * 4 * hidden * hidden)
    tally.add(MLP, layers * plain_mlp(hidden, _inner(config, "n_inner"), bias=True))
    tally.add(NORMS, (layers + 1) * layer_norm(hidden))
    return tally


def gpt_neox(config: Config) -> Tally:
    """As gpt2 without a position table."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    bias = config.flag("attention_bias", otherwise=True)
    tally = _start(config)
    tally.add(ATTENTION, layers * (linear(hidden, 3 * hidden, bias=bias) + linear(hidden, hidden, bias=bias)))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("intermediate_size"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


def bloom(config: Config) -> Tally:
    """As gpt2 without a position table, the embedding normalised."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config)
    tally.add(ATTENTION, layers * (linear(hidden, 3 * hidden, bias=True) + linear(hidden, hidden, bias=True)))
    tally.add(MLP, layers * plain_mlp(hidden, 4 * hidden, bias=True))
    tally.add(NORMS, (2 * layers + 2) * layer_norm(hidden))
    return tally


def falcon(config: Config) -> Tally:
    """A fused projection whose key heads depend on the generation of the family."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    heads, bias = config.size("num_attention_heads"), config.flag("bias")
    new = config.flag("new_decoder_architecture")
    size = even_head(config, "num_attention_heads", hidden=hidden, queries=heads)
    tally = _start(config)
    fused = linear(hidden, hidden + 2 * _falcon_keys(config, heads, new=new) * size, bias=bias)
    tally.add(ATTENTION, layers * (fused + linear(hidden, hidden, bias=bias)))
    tally.add(MLP, layers * plain_mlp(hidden, _inner(config, "ffn_hidden_size"), bias=bias))
    tally.add(NORMS, (layers * _falcon_norms(config, new=new) + 1) * layer_norm(hidden))
    return tally


def _falcon_keys(config: Config, heads: int, *, new: bool) -> int:
    if new:
        return config.optional("num_kv_heads") or heads
    return 1 if config.flag("multi_query") else heads


def _falcon_norms(config: Config, *, new: bool) -> int:
    """Norms of one layer: a parallel block of the old generation has one."""
    if not config.flag("parallel_attn"):
        return 2
    stated = config.optional("num_ln_in_parallel_attn")
    return 2 if new and stated in (None, 2) else 1


def mpt(config: Config) -> Tally:
    """Attention and MLP without bias, positions by ALiBi, norms without bias."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    inner = int(config.number("expansion_ratio", otherwise=4) * hidden)
    if not config.flag("no_bias", otherwise=True):
        config.notes.assume("no biases (no_bias is false, which the usual class ignores)")
    tally = _start(config)
    tally.add(ATTENTION, layers * 4 * hidden * hidden)
    tally.add(MLP, layers * plain_mlp(hidden, inner))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def opt(config: Config) -> Tally:
    """A position table two rows longer than stated; the embedding may be narrower than the layers."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    width = config.optional("word_embed_proj_dim") or hidden
    bias, weights = config.flag("enable_bias"), config.flag("layer_norm_elementwise_affine")
    final = config.flag("do_layer_norm_before") and not config.flag("_remove_final_layer_norm")
    tally = _start(config, width=width, positions=config.size("max_position_embeddings") + 2)
    tally.add(ATTENTION, layers * 4 * linear(hidden, hidden, bias=bias))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("ffn_dim"), bias=bias))
    tally.add(NORMS, (2 * layers + (1 if final else 0)) * (layer_norm(hidden) if weights else 0))
    tally.add(PROJECTOR, 0 if width == hidden else 2 * linear(width, hidden))
    return tally


def phi(config: Config) -> Tally:
    """A parallel block with one norm; every projection has a bias, whatever the file says."""
    layers = Layers(
        bias=True,
        stated_size=True,
        gated=False,
        mlp_bias=True,
        norms_count=1,
        norm_bias=True,
        qk_norm=lambda heads: 4 * (heads.hidden // heads.queries),
        qk_switch="qk_layernorm",
    )
    return decoder(config, layers)


def persimmon(config: Config) -> Tally:
    """Biases everywhere, queries and keys normalised over one head."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    size = even_head(config, "num_attention_heads", hidden=hidden, queries=config.size("num_attention_heads"))
    tally = _start(config)
    tally.add(ATTENTION, layers * (linear(hidden, 3 * hidden, bias=True) + linear(hidden, hidden, bias=True)))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("intermediate_size"), bias=True))
    extra = 2 * layer_norm(size) if switched(config, "qk_layernorm") else 0
    tally.add(NORMS, layers * extra + (2 * layers + 1) * layer_norm(hidden))
    return tally


def xglm(config: Config) -> Tally:
    """Biases everywhere, positions computed, a final norm."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config)
    tally.add(ATTENTION, layers * 4 * linear(hidden, hidden, bias=True))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("ffn_dim"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


def biogpt(config: Config) -> Tally:
    """As xglm with a position table two rows longer than stated."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = _start(config, positions=config.size("max_position_embeddings") + 2)
    tally.add(ATTENTION, layers * 4 * linear(hidden, hidden, bias=True))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("intermediate_size"), bias=True))
    tally.add(NORMS, (2 * layers + 1) * layer_norm(hidden))
    return tally


CLASSIC: dict[str, Callable[[Config], Tally]] = {
    "gpt2": gpt2,
    "gpt_bigcode": gpt_bigcode,
    "gpt_neo": gpt_neo,
    "gptj": gptj,
    "codegen": gptj,
    "gpt_neox": gpt_neox,
    "bloom": bloom,
    "falcon": falcon,
    "mpt": mpt,
    "opt": opt,
    "phi": phi,
    "persimmon": persimmon,
    "xglm": xglm,
    "biogpt": biogpt,
}
