"""Decoders that take turns between attention and delta nets, lightning attention or short convolutions."""

from __future__ import annotations

from collections.abc import Callable

from planner.architectures.blocks import (
    Experts,
    Heads,
    Layers,
    add_experts,
    head_norm,
    heads_of,
    sparse_layers,
    token_table,
)
from planner.architectures.config import Config
from planner.architectures.recurrent import add_attention
from planner.architectures.sparse import gated_shared_expert, routed, with_shared
from planner.architectures.tally import MIXER, MLP, NORMS, Tally, conv1d, gated_mlp, linear


def _delta_net(config: Config) -> int:
    """Numbers of one gated delta net, its norm with it."""
    hidden, values = config.size("hidden_size"), config.size("linear_num_value_heads")
    key = config.size("linear_key_head_dim") * config.size("linear_num_key_heads")
    size = config.size("linear_value_head_dim")
    value = size * values
    inward = linear(hidden, 2 * key + 2 * value) + linear(hidden, 2 * values)
    channels = conv1d(2 * key + value, config.size("linear_conv_kernel_dim"), bias=False)
    return inward + channels + 2 * values + size + linear(value, hidden)


def _delta_decoder(config: Config, *, experts: Experts | None) -> Tally:
    """Delta nets with gated attention in every n-th layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    kinds = config.words("layer_types")
    step = config.size("full_attention_interval", otherwise=4)
    attended = kinds.count("full_attention") if kinds else layers // step
    gate = Layers(qk_norm=head_norm, beside_heads=_query_gate)
    dense = layers - (experts.layers if experts else 0)
    tally = Tally()
    token_table(config, tally)
    add_attention(config, gate, attended, tally)
    if layers > attended:
        tally.add(MIXER, (layers - attended) * _delta_net(config))
    if dense:
        tally.add(MLP, dense * gated_mlp(hidden, config.size("intermediate_size")))
    if experts:
        add_experts(tally, experts)
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def _query_gate(config: Config, heads: Heads) -> int:
    """The query projection is twice as wide: half of it gates the output."""
    return linear(heads.hidden, heads.query_width, bias=config.flag("attention_bias"))


def qwen3_next(config: Config) -> Tally:
    """Delta nets and gated attention with experts beside a shared one."""
    experts = routed(
        config, layers=sparse_layers(config), count_key="num_experts", inner_key="moe_intermediate_size"
    )
    return _delta_decoder(config, experts=with_shared(experts, gated_shared_expert(config)))


def qwen3_5_moe(config: Config) -> Tally:
    """As qwen3_next, experts in every layer."""
    layers = config.size("num_hidden_layers")
    experts = routed(config, layers=layers, count_key="num_experts", inner_key="moe_intermediate_size")
    return _delta_decoder(config, experts=with_shared(experts, gated_shared_expert(config)))


def qwen3_5(config: Config) -> Tally:
    """As qwen3_next with a dense MLP."""
    return _delta_decoder(config, experts=None)


def minimax(config: Config) -> Tally:
    """Lightning attention with full attention in every other layer, or as listed; experts in all."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    kinds = config.words("layer_types")
    full = kinds.count("full_attention") if kinds else -(-layers // 2)
    heads = heads_of(config)
    width = heads.query_width
    lightning = linear(hidden, 3 * width) + linear(hidden, width) + linear(width, hidden) + width
    experts = routed(config, layers=layers, count_key="num_local_experts", inner_key="intermediate_size")
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(bias=False), full, tally)
    tally.add(MIXER, (layers - full) * lightning)
    add_experts(tally, experts)
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def lfm2(config: Config) -> Tally:
    """Short convolutions with attention as listed; the MLP's width is cut and rounded."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    inner = config.size("block_ff_dim") if config.has("block_ff_dim") else config.size("intermediate_size")
    if config.flag("block_auto_adjust_ff_dim"):
        inner = int(config.number("block_ffn_dim_multiplier", otherwise=1.0) * int(2 * inner / 3))
        step = config.size("block_multiple_of")
        inner = step * (-(-inner // step))
    tally = _short_convolutions(config)
    tally.add(MLP, layers * gated_mlp(hidden, inner))
    return tally


def _short_convolutions(config: Config) -> Tally:
    """A decoder in which some layers mix tokens by a short gated convolution instead of attention."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    kinds, listed = config.words("layer_types"), config.sizes("full_attn_idxs")
    attended = layers
    if kinds:
        attended = layers - kinds.count("conv")
    elif config.has("full_attn_idxs"):
        attended = len({i for i in listed if i < layers})
    bias = config.flag("conv_bias")
    mixer = linear(hidden, 3 * hidden, bias=bias) + linear(hidden, hidden, bias=bias)
    mixer += conv1d(hidden, config.size("conv_L_cache"), bias=bias)
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(bias=False, qk_norm=head_norm), attended, tally)
    tally.add(MIXER, (layers - attended) * mixer)
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def lfm2_moe(config: Config) -> Tally:
    """As lfm2 with experts after the first dense layers."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    dense = min(config.count("num_dense_layers"), layers)
    experts = routed(
        config, layers=layers - dense, count_key="num_experts", inner_key="moe_intermediate_size"
    )
    tally = _short_convolutions(config)
    tally.add(MLP, dense * gated_mlp(hidden, config.size("intermediate_size")))
    add_experts(tally, experts)
    return tally


MIXING: dict[str, Callable[[Config], Tally]] = {
    "qwen3_next": qwen3_next,
    "qwen3_5_text": qwen3_5,
    "qwen3_5_moe_text": qwen3_5_moe,
    "minimax": minimax,
    "lfm2": lfm2,
    "lfm2_moe": lfm2_moe,
}
