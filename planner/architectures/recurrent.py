"""State-space and other recurrent mixers, and the models that consist of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.architectures.blocks import (
    Layers,
    attention_numbers,
    heads_of,
    qk_norm_numbers,
    token_table,
)
from planner.architectures.config import Config
from planner.architectures.tally import (
    ATTENTION,
    MIXER,
    MLP,
    NORMS,
    Tally,
    conv1d,
    gated_mlp,
    layer_norm,
    linear,
    plain_mlp,
)


def selective_scan(
    *, hidden: int, inner: int, state: int, kernel: int, rank: int, bias: bool, conv_bias: bool
) -> int:
    """Numbers of one mixer of the first Mamba generation."""
    inward = linear(hidden, 2 * inner, bias=bias) + conv1d(inner, kernel, bias=conv_bias)
    step = linear(inner, rank + 2 * state) + linear(rank, inner, bias=True)
    return inward + step + inner * state + inner + linear(inner, hidden, bias=bias)


@dataclass(frozen=True, slots=True)
class StateSpace:
    """Sizes of one mixer of the second Mamba generation.

    Attributes:
        hidden: Width of the residual stream.
        inner: Width of the mixer.
        state: Width of a state.
        groups: Groups that share their states.
        kernel: Steps that the convolution sees.
        heads: Heads.
        bias: Whether the projections have a bias.
        conv_bias: Whether the convolution has one.
        out_bias: Whether the output projection has one; None if it goes with `bias`.
        norm: Whether the output is normalised.
    """

    hidden: int
    inner: int
    state: int
    groups: int
    kernel: int
    heads: int
    bias: bool
    conv_bias: bool
    out_bias: bool | None = None
    norm: bool = True

    @property
    def numbers(self) -> int:
        """All numbers of the mixer, its gated norm with it."""
        channels = self.inner + 2 * self.groups * self.state
        inward = linear(self.hidden, self.inner + channels + self.heads, bias=self.bias)
        outward = linear(self.inner, self.hidden, bias=self.bias if self.out_bias is None else self.out_bias)
        filters = conv1d(channels, self.kernel, bias=self.conv_bias)
        return inward + filters + 3 * self.heads + (self.inner if self.norm else 0) + outward


def rank_of(config: Config, key: str) -> int:
    """Rank of the time step: stated, or a sixteenth of the hidden size."""
    if config.raw(key) == "auto" or not config.has(key):
        return -(-config.size("hidden_size") // 16)
    return config.size(key)


def inner_of(config: Config, key: str) -> int:
    """Width of the mixer: the hidden size, expanded."""
    return int(config.number(key, otherwise=2) * config.size("hidden_size"))


def add_attention(config: Config, layers: Layers, count: int, tally: Tally) -> None:
    """Count attention in `count` of the layers."""
    if count:
        heads = heads_of(config)
        tally.add(ATTENTION, count * attention_numbers(config, heads, layers))
        tally.add(NORMS, count * qk_norm_numbers(config, heads, layers))


def mamba(config: Config) -> Tally:
    """One mixer and one norm in each layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    mixer = selective_scan(
        hidden=hidden,
        inner=inner_of(config, "expand"),
        state=config.size("state_size"),
        kernel=config.size("conv_kernel"),
        rank=rank_of(config, "time_step_rank"),
        bias=config.flag("use_bias"),
        conv_bias=config.flag("use_conv_bias"),
    )
    tally = Tally()
    token_table(config, tally)
    tally.add(MIXER, layers * mixer)
    tally.add(NORMS, (layers + 1) * hidden)
    return tally


def mamba2(config: Config) -> Tally:
    """One mixer and one norm in each layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    mixer = StateSpace(
        hidden=hidden,
        inner=inner_of(config, "expand"),
        state=config.size("state_size"),
        groups=config.size("n_groups"),
        kernel=config.size("conv_kernel"),
        heads=config.size("num_heads"),
        bias=config.flag("use_bias"),
        conv_bias=config.flag("use_conv_bias"),
    ).numbers
    tally = Tally()
    token_table(config, tally)
    tally.add(MIXER, layers * mixer)
    tally.add(NORMS, (layers + 1) * hidden)
    return tally


def recurrent_gemma(config: Config) -> Tally:
    """Recurrent blocks with every third layer attending."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    width, heads = config.optional("lru_width") or hidden, config.size("num_attention_heads")
    pattern = config.words("block_types") or ("recurrent", "recurrent", "attention")
    attended = sum(1 for i in range(layers) if pattern[i % len(pattern)] == "attention")
    block = width // heads
    mixer = 2 * linear(hidden, width, bias=True) + linear(width, hidden, bias=True) + width
    mixer += conv1d(width, config.size("conv1d_width"), bias=True) + 2 * heads * (block * block + block)
    tally = Tally()
    token_table(config, tally)
    if attended:
        tally.add(
            ATTENTION,
            attended
            * (attention_numbers(config, heads_of(config, stated_size=False), Layers()) + _out_bias(config)),
        )
    tally.add(MIXER, (layers - attended) * mixer)
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size") // 2, bias=True))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def _out_bias(config: Config) -> int:
    """The output projection has a bias whatever the file says of the others."""
    return 0 if config.flag("attention_bias") else config.size("hidden_size")


def rwkv(config: Config) -> Tally:
    """Time mixing and channel mixing in each layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    width = config.optional("attention_hidden_size") or hidden
    inner = config.optional("intermediate_size") or 4 * hidden
    tally = Tally()
    token_table(config, tally)
    tally.add(MIXER, layers * (4 * linear(hidden, width) + 2 * width + 3 * hidden))
    tally.add(MLP, layers * (2 * hidden + plain_mlp(hidden, inner) + hidden * hidden))
    tally.add(NORMS, (2 * layers + 2) * layer_norm(hidden))
    return tally


RECURRENT: dict[str, Callable[[Config], Tally]] = {
    "mamba": mamba,
    "mamba2": mamba2,
    "recurrent_gemma": recurrent_gemma,
    "rwkv": rwkv,
}
