"""Decoders that take turns between state-space mixers and attention."""

from __future__ import annotations

from collections.abc import Callable

from planner.architectures.blocks import Layers, token_table
from planner.architectures.config import Config
from planner.architectures.recurrent import StateSpace, add_attention, inner_of, rank_of, selective_scan
from planner.architectures.tally import (
    ATTENTION,
    MIXER,
    MLP,
    NORMS,
    ROUTER,
    SHARED,
    Tally,
    gated_mlp,
    linear,
    plain_mlp,
)


def _prefixed_mixer(config: Config, *, inner: int, norm: bool = True, out_bias: bool | None = None) -> int:
    """A mixer whose keys begin with "mamba_"."""
    return StateSpace(
        hidden=config.size("hidden_size"),
        inner=inner,
        state=config.size("mamba_d_state"),
        groups=config.size("mamba_n_groups"),
        kernel=config.size("mamba_d_conv"),
        heads=config.size("mamba_n_heads"),
        bias=config.flag("mamba_proj_bias"),
        conv_bias=config.flag("mamba_conv_bias"),
        norm=norm,
        out_bias=out_bias,
    ).numbers


def bamba(config: Config) -> Tally:
    """A mixer in each layer but those listed, which have attention; an MLP in all."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    attended = len({i for i in config.sizes("attn_layer_indices") if i < layers})
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(), attended, tally)
    tally.add(MIXER, (layers - attended) * _prefixed_mixer(config, inner=inner_of(config, "mamba_expand")))
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size"), bias=config.flag("mlp_bias")))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def falcon_h1(config: Config) -> Tally:
    """A mixer beside attention in each layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    inner = config.optional("mamba_d_ssm") or inner_of(config, "mamba_expand")
    mixer = _prefixed_mixer(
        config, inner=inner, norm=config.flag("mamba_rms_norm"), out_bias=config.flag("projectors_bias")
    )
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(), layers, tally)
    tally.add(MIXER, layers * mixer)
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size"), bias=config.flag("mlp_bias")))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def jamba(config: Config) -> Tally:
    """Attention in every n-th layer, a mixer in the others; experts in every m-th."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    attended = _every(config, layers, "attn_layer_period", "attn_layer_offset")
    count = config.size("num_experts")
    sparse = _every(config, layers, "expert_layer_period", "expert_layer_offset") if count > 1 else 0
    inner, state, rank = (
        inner_of(config, "mamba_expand"),
        config.size("mamba_d_state"),
        rank_of(config, "mamba_dt_rank"),
    )
    mixer = selective_scan(
        hidden=hidden,
        inner=inner,
        state=state,
        kernel=config.size("mamba_d_conv"),
        rank=rank,
        bias=config.flag("mamba_proj_bias"),
        conv_bias=config.flag("mamba_conv_bias"),
    )
    one = gated_mlp(hidden, config.size("intermediate_size"))
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(bias=False), attended, tally)
    tally.add(MIXER, (layers - attended) * mixer)
    tally.add(MLP, (layers - sparse) * one)
    tally.experts(one, count=count, chosen=config.size("num_experts_per_tok"), layers=sparse)
    tally.add(ROUTER, sparse * linear(hidden, count))
    tally.add(NORMS, (2 * layers + 1) * hidden + (layers - attended) * (rank + 2 * state))
    return tally


def _every(config: Config, layers: int, period_key: str, offset_key: str) -> int:
    period, offset = config.size(period_key), config.count(offset_key)
    return sum(1 for i in range(layers) if i % period == offset)


def granitemoehybrid(config: Config) -> Tally:
    """A mixer or attention as listed, a shared MLP in each layer, and experts where there are any."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    kinds = config.words("layer_types")
    attended = sum(1 for kind in kinds if kind in ("attention", "full_attention"))
    count = config.count("num_local_experts")
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(), attended, tally)
    if layers > attended:
        tally.add(
            MIXER, (layers - attended) * _prefixed_mixer(config, inner=inner_of(config, "mamba_expand"))
        )
    tally.add(SHARED if count else MLP, layers * gated_mlp(hidden, config.size("shared_intermediate_size")))
    if count:
        one = gated_mlp(hidden, config.size("intermediate_size"))
        tally.experts(one, count=count, chosen=config.size("num_experts_per_tok"), layers=layers)
        tally.add(ROUTER, layers * linear(hidden, count))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


_NEMOTRON_KINDS = {"M": "mamba", "E": "moe", "*": "attention", "-": "mlp"}
"""Kinds of layer by their letter in the pattern."""
_NEMOTRON_NAMES = {"linear_attention": "mamba", "full_attention": "attention"}
"""Kinds of layer by the names that newer files list."""


def _nemotron_layers(config: Config) -> list[str]:
    """Kind of each layer: by the pattern of letters, by the list, or one of each kind where neither is there."""
    pattern = config.word("hybrid_override_pattern")
    if pattern:
        unknown = sorted(set(pattern) - set(_NEMOTRON_KINDS))
        if unknown or len(pattern) > 10_000:
            raise config.refuse(
                "hybrid_override_pattern", "only M, E, * and - stand in it, one for each layer"
            )
        return [_NEMOTRON_KINDS[letter] for letter in pattern]
    kinds = config.words("layers_block_type")
    if not kinds:
        config.notes.assume("four layers, one of each kind (the file lists none)")
        return list(_NEMOTRON_KINDS.values())
    return [_NEMOTRON_NAMES.get(kind, kind) for kind in kinds]


def nemotron_h(config: Config) -> Tally:
    """Each layer is one thing: a mixer, attention, an MLP or experts, after one norm."""
    hidden, bias = config.size("hidden_size"), config.flag("mlp_bias")
    kinds = _nemotron_layers(config)
    of = {kind: kinds.count(kind) for kind in ("mamba", "attention", "mlp", "moe")}
    heads = config.size("mamba_num_heads")
    mixer = StateSpace(
        hidden=hidden,
        inner=heads * config.size("mamba_head_dim"),
        state=config.size("ssm_state_size"),
        groups=config.size("n_groups"),
        kernel=config.size("conv_kernel"),
        heads=heads,
        bias=config.flag("use_bias"),
        conv_bias=config.flag("use_conv_bias"),
    ).numbers
    tally = Tally()
    token_table(config, tally)
    add_attention(config, Layers(bias=False), of["attention"], tally)
    tally.add(MIXER, of["mamba"] * mixer)
    tally.add(NORMS, (len(kinds) + 1) * hidden)
    if of["mlp"]:
        tally.add(MLP, of["mlp"] * plain_mlp(hidden, config.size("intermediate_size"), bias=bias))
    if of["moe"]:
        _nemotron_experts(config, tally, layers=of["moe"], bias=bias)
    return tally


def _nemotron_experts(config: Config, tally: Tally, *, layers: int, bias: bool) -> None:
    hidden, count = config.size("hidden_size"), config.size("n_routed_experts")
    latent = config.optional("moe_latent_size")
    one = plain_mlp(latent or hidden, config.size("moe_intermediate_size"))
    tally.experts(one, count=count, chosen=config.size("num_experts_per_tok"), layers=layers)
    tally.add(ROUTER, layers * linear(hidden, count))
    shared = plain_mlp(hidden, config.size("moe_shared_expert_intermediate_size"), bias=bias)
    around = plain_mlp(hidden, latent, bias=bias) if latent else 0
    tally.add(SHARED, layers * (shared + around))


_ZAMBA_HYBRIDS = frozenset((6, 12, 18, 24, 30, 36, 42, 47, 51))
"""Hybrid layers where the file lists no kinds."""


def zamba2(config: Config) -> Tally:
    """Mixers, with a few transformer blocks that all hybrid layers share and adapt."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    kinds = config.words("layers_block_type")
    hybrid = [
        i
        for i in range(layers)
        if (kinds[i] == "hybrid" if i < len(kinds) else i in _ZAMBA_HYBRIDS and not kinds)
    ]
    inner, wide = config.optional("intermediate_size") or 4 * hidden, 2 * hidden
    bias, heads = config.flag("add_bias_linear"), config.size("num_attention_heads")
    keys = config.optional("num_key_value_heads") or heads
    size = wide // heads
    blocks = min(config.size("num_mem_blocks"), len(hybrid))
    mixer = StateSpace(
        hidden=hidden,
        inner=inner_of(config, "mamba_expand"),
        state=config.size("mamba_d_state"),
        groups=config.size("mamba_ngroups"),
        kernel=config.size("mamba_d_conv"),
        heads=config.size("n_mamba_heads"),
        bias=bias,
        conv_bias=True,
    ).numbers
    attention = linear(wide, heads * size + 2 * keys * size) + linear(heads * size, hidden)
    rank = config.size("adapter_rank")
    adapters = 3 * 2 * wide * rank if config.flag("use_shared_attention_adapter") else 0
    tally = Tally()
    token_table(config, tally)
    tally.add(MIXER, layers * mixer + len(hybrid) * hidden * hidden)
    tally.add(ATTENTION, blocks * attention + len(hybrid) * adapters)
    tally.add(MLP, blocks * gated_mlp(hidden, inner, bias=bias) + len(hybrid) * rank * (hidden + 2 * inner))
    tally.add(NORMS, (layers + 1) * hidden + blocks * (wide + hidden))
    return tally


HYBRID: dict[str, Callable[[Config], Tally]] = {
    "bamba": bamba,
    "falcon_h1": falcon_h1,
    "jamba": jamba,
    "granitemoehybrid": granitemoehybrid,
    "nemotron_h": nemotron_h,
    "zamba2": zamba2,
}
