"""Decoders with parts that no other family has."""

from __future__ import annotations

from collections.abc import Callable

from planner.architectures.blocks import add_experts, token_table
from planner.architectures.config import Config
from planner.architectures.sparse import chosen_experts, routed, with_shared
from planner.architectures.tally import (
    ATTENTION,
    BUFFERS,
    EMBEDDING,
    MLP,
    NORMS,
    OTHER,
    ROUTER,
    Tally,
    gated_mlp,
    linear,
)

_SPARSE, _HEAVY = "compressed_sparse_attention", "heavily_compressed_attention"
_RATIOS = {4: _SPARSE, 128: _HEAVY}


def deepseek_v4(config: Config) -> Tally:
    """One key head, compressed caches of two kinds, several residual streams, experts in every layer."""
    layers, hidden = config.size("num_hidden_layers"), config.size("hidden_size")
    kinds = _cache_kinds(config, layers)
    streams = config.size("hc_mult")
    mixing = streams * (streams + 2)
    connection = mixing * streams * hidden + mixing + 3
    size, rank = config.size("head_dim"), config.size("q_lora_rank")
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, layers * _shared_key_attention(config, hidden, size, rank))
    sparse, heavy = kinds.count(_SPARSE), kinds.count(_HEAVY)
    rate, index = config.size("compress_rate_csa", otherwise=4), config.size("index_head_dim")
    slow = config.size("compress_rate_hca", otherwise=128)
    scorer = linear(rank, config.size("index_n_heads") * index) + linear(hidden, config.size("index_n_heads"))
    tally.add(
        ATTENTION,
        sparse * (_compressor(hidden, 2 * size, rate) + _compressor(hidden, 2 * index, rate) + scorer),
    )
    tally.add(ATTENTION, heavy * _compressor(hidden, size, slow))
    tally.add(NORMS, layers * (rank + size + 2 * hidden) + hidden + sparse * (size + index) + heavy * size)
    tally.add(OTHER, 2 * layers * connection + streams * streams * hidden + streams + 1)
    experts = routed(config, layers=layers, count_key="n_routed_experts", inner_key="moe_intermediate_size")
    experts = with_shared(experts, experts.one)
    add_experts(tally, experts)
    tally.beside(BUFFERS, layers * experts.count)
    if config.count("num_nextn_predict_layers", otherwise=0):
        config.notes.remark("files of this model also store an extra prediction layer, which is not counted")
    return tally


def _cache_kinds(config: Config, layers: int) -> list[str]:
    """How each layer keeps its cache: as listed, by its ratio, or by turns after two heavy ones."""
    listed = config.words("layer_types")
    if listed:
        return list(listed[:layers])
    if config.has("compress_ratios"):
        return [_RATIOS.get(ratio, "sliding") for ratio in config.sizes("compress_ratios")[:layers]]
    return [_HEAVY if i < 2 or i % 2 == 0 else _SPARSE for i in range(layers)]


def _shared_key_attention(config: Config, hidden: int, size: int, rank: int) -> int:
    heads, groups, low = (
        config.size("num_attention_heads"),
        config.size("o_groups"),
        config.size("o_lora_rank"),
    )
    queries = linear(hidden, rank) + linear(rank, heads * size)
    outward = linear(heads * size // groups, groups * low) + linear(groups * low, hidden)
    return queries + linear(hidden, size) + outward + heads


def _compressor(hidden: int, width: int, rate: int) -> int:
    """Two maps and a position bias; its norm is counted with the norms."""
    return 2 * linear(hidden, width) + rate * width


def gemma3n_text(config: Config) -> Tally:
    """Four residual streams, low-rank side paths, an embedding for each layer, shared caches at the end."""
    layers, hidden = config.size("num_hidden_layers"), config.size("hidden_size")
    size, heads = config.size("head_dim"), config.size("num_attention_heads")
    keys = config.size("num_key_value_heads") * size
    caching = layers - min(config.count("num_kv_shared_layers"), layers)
    streams, rank, narrow = (
        config.size("altup_num_inputs"),
        config.size("laurel_rank"),
        config.size("hidden_size_per_layer_input"),
    )
    inner = config.sizes("intermediate_size")
    widths = inner[:layers] if len(inner) > 1 else inner * layers
    bias = config.flag("attention_bias")
    side = hidden + streams**2 + streams**3 + linear(hidden, streams) + hidden + 2 * hidden * rank
    tally = Tally()
    token_table(config, tally)
    tally.add(
        ATTENTION,
        layers * _around(hidden, heads * size, bias=bias) + caching * 2 * linear(hidden, keys, bias=bias),
    )
    tally.add(MLP, sum(gated_mlp(hidden, width) for width in widths))
    tally.add(NORMS, layers * (6 * hidden + size) + caching * size + hidden + narrow)
    tally.add(OTHER, layers * side + 2 * (streams - 1) * hidden * hidden)
    _layer_embeddings(config, tally, layers=layers, hidden=hidden, narrow=narrow)
    return tally


def _around(hidden: int, width: int, *, bias: bool) -> int:
    """Query and output projection."""
    return linear(hidden, width, bias=bias) + linear(width, hidden, bias=bias)


def _layer_embeddings(config: Config, tally: Tally, *, layers: int, hidden: int, narrow: int) -> None:
    """Count the embedding that each layer has of its own, and the maps to and from it."""
    tally.add(EMBEDDING, config.size("vocab_size_per_layer_input") * layers * narrow)
    tally.add(OTHER, linear(hidden, layers * narrow) + layers * 2 * hidden * narrow)


def gemma4_text(config: Config) -> Tally:
    """Wider heads in full layers, caches shared at the end, maybe experts beside each MLP."""
    layers, hidden = config.size("num_hidden_layers"), config.size("hidden_size")
    narrow, inner = config.count("hidden_size_per_layer_input"), config.size("intermediate_size")
    shared = min(config.count("num_kv_shared_layers"), layers)
    wide = shared if config.flag("use_double_wide_mlp") else 0
    tally = Tally()
    token_table(config, tally)
    for i, kind in enumerate(_window_kinds(config, layers)):
        _gemma4_attention(config, tally, hidden, full=kind == "full_attention", caching=i < layers - shared)
    tally.add(MLP, (layers - wide) * gated_mlp(hidden, inner) + wide * gated_mlp(hidden, 2 * inner))
    tally.add(NORMS, layers * 4 * hidden + hidden)
    if narrow:
        tally.add(NORMS, layers * hidden + narrow)
        _layer_embeddings(config, tally, layers=layers, hidden=hidden, narrow=narrow)
    if config.flag("enable_moe_block"):
        count = config.size("num_experts")
        one = gated_mlp(hidden, config.size("moe_intermediate_size"))
        chosen = chosen_experts(config, "top_k_experts", count=count)
        tally.experts(one, count=count, chosen=chosen, layers=layers)
        tally.add(ROUTER, layers * (linear(hidden, count) + hidden + count))
        tally.add(NORMS, layers * 3 * hidden)
    tally.beside(BUFFERS, layers)
    return tally


def _window_kinds(config: Config, layers: int) -> list[str]:
    """Kind of each layer; every sixth is full where none are listed, and the last always is."""
    listed = list(config.words("layer_types")[:layers])
    kinds = listed or ["full_attention" if (i + 1) % 6 == 0 else "sliding_attention" for i in range(layers)]
    return [*kinds[:-1], "full_attention"]


def _gemma4_attention(config: Config, tally: Tally, hidden: int, *, full: bool, caching: bool) -> None:
    """Attention of one layer: over all tokens or a window, with keys and values of its own or those of a layer before."""
    heads, bias = config.size("num_attention_heads"), config.flag("attention_bias")
    size = config.size("global_head_dim", otherwise=512) if full else config.size("head_dim")
    same = config.flag("attention_k_eq_v") and full
    keys = config.size("num_key_value_heads")
    if same and config.has("num_global_key_value_heads"):
        keys = config.size("num_global_key_value_heads")
    tally.add(ATTENTION, _around(hidden, heads * size, bias=bias))
    tally.add(NORMS, size)
    if caching:
        tally.add(ATTENTION, (1 if same else 2) * linear(hidden, keys * size, bias=bias))
        tally.add(NORMS, size)


SPECIAL: dict[str, Callable[[Config], Tally]] = {
    "deepseek_v4": deepseek_v4,
    "gemma3n_text": gemma3n_text,
    "gemma4_text": gemma4_text,
}
