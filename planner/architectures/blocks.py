"""Building blocks that decoder families share: heads, attention, experts, and the layers around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.architectures.config import Config
from planner.architectures.tally import (
    ATTENTION,
    EMBEDDING,
    MLP,
    NORMS,
    ROUTER,
    SHARED,
    Tally,
    gated_mlp,
    layer_norm,
    linear,
    plain_mlp,
)

Switch = bool | str
"""Fixed by the family, or the key that decides."""


@dataclass(frozen=True, slots=True)
class Heads:
    """Sizes of grouped attention.

    Attributes:
        hidden: Width of the residual stream.
        queries: Query heads.
        keys: Key and value heads.
        size: Width of one head; need not be `hidden / queries`.
    """

    hidden: int
    queries: int
    keys: int
    size: int

    @property
    def query_width(self) -> int:
        """Width of all query heads."""
        return self.queries * self.size

    @property
    def key_width(self) -> int:
        """Width of all key heads; that of all value heads is the same."""
        return self.keys * self.size


def heads_of(config: Config, *, stated_size: bool = True) -> Heads:
    """Heads of a configuration.

    Args:
        config: Configuration with `hidden_size`, `num_attention_heads` and maybe the other two.
        stated_size: Whether the family reads `head_dim`; else a head is `hidden / queries` wide.
    """
    hidden = config.size("hidden_size")
    queries = config.size("num_attention_heads")
    size = config.optional("head_dim") if stated_size else None
    keys = config.optional("num_key_value_heads")
    if size is None:
        size = even_head(config, "num_attention_heads", hidden=hidden, queries=queries)
    if keys and queries % keys and config.has("num_key_value_heads") and config.has("num_attention_heads"):
        config.notes.doubt(f"{keys} key and value heads do not divide {queries} query heads")
    return Heads(hidden, queries, queries if keys is None else keys, size)


def even_head(config: Config, key: str, *, hidden: int, queries: int) -> int:
    """Width of one head where heads share the hidden size evenly.

    Args:
        config: Configuration that the sizes are of.
        key: What it calls the number of query heads.
        hidden: Width of the residual stream.
        queries: Query heads.

    Raises:
        ArchitectureError: More heads than the hidden size is wide, or heads stated that do not divide it.
    """
    if hidden < queries:
        raise config.refuse(key, f"{queries} heads do not fit into a hidden size of {hidden}")
    if hidden % queries and config.has(key):
        raise config.refuse(
            key, f"{queries} heads do not divide a hidden size of {hidden}{_near(hidden, queries)}"
        )
    return hidden // queries


def _near(whole: int, part: int) -> str:
    """The numbers next to `part` that divide `whole`, as the end of an error line."""
    below = next(n for n in range(part, 0, -1) if whole % n == 0)
    above = next((n for n in range(part, whole + 1) if whole % n == 0), below)
    return f"; the nearest that do are {below} and {above}"


def switched(config: Config, switch: Switch) -> bool:
    """What the family fixes, or what the file says under the key."""
    return switch if isinstance(switch, bool) else config.flag(switch)


def grouped_attention(heads: Heads, *, bias: bool = False, out_bias: bool = False) -> int:
    """Query, key, value and output projection of one layer."""
    inward = linear(heads.hidden, heads.query_width + 2 * heads.key_width, bias=bias)
    return inward + linear(heads.query_width, heads.hidden, bias=out_bias)


@dataclass(frozen=True, slots=True)
class Experts:
    """Layers with routed experts.

    Attributes:
        layers: How many layers have them; the others are dense.
        count: Experts of one layer.
        chosen: Experts that a token is sent to.
        one: Numbers of one expert.
        router: Numbers of one layer's router.
        shared: Numbers of what every token passes in one layer beside its chosen experts.
    """

    layers: int
    count: int
    chosen: int
    one: int
    router: int
    shared: int = 0


def no_norm(_heads: Heads) -> int:
    """Queries and keys are not normalised."""
    return 0


def head_norm(heads: Heads) -> int:
    """One RMS norm for queries and one for keys, over a single head."""
    return 2 * heads.size


def width_norm(heads: Heads) -> int:
    """One RMS norm for queries and one for keys, over all heads."""
    return heads.query_width + heads.key_width


def each_head_norm(heads: Heads) -> int:
    """A norm of its own for each head of queries and of keys."""
    return heads.query_width + heads.key_width


@dataclass(frozen=True, slots=True)
class Layers:
    """How a family builds its layers around `hidden_size` and `intermediate_size`.

    Attributes:
        bias: Whether query, key and value have a bias.
        out_bias: Whether the output projection has one; None if it goes with `bias`.
        stated_size: Whether `head_dim` is read.
        qk_norm: Numbers that normalise queries and keys, by heads.
        qk_switch: Whether they are there.
        gated: Whether the MLP has a gate.
        mlp_bias: Whether the MLP has a bias.
        norms_count: Norms of one layer.
        norm_bias: Whether norms have a bias.
        final_norm: Whether there is a norm after the last layer.
        beside_heads: Further numbers of one layer's attention, by configuration and heads.
        inner: Key of the width of the MLP.
    """

    bias: Switch = "attention_bias"
    out_bias: Switch | None = None
    stated_size: bool = True
    qk_norm: Callable[[Heads], int] = no_norm
    qk_switch: Switch = True
    gated: bool = True
    mlp_bias: Switch = False
    norms_count: int = 2
    norm_bias: Switch = False
    final_norm: bool = True
    beside_heads: Callable[[Config, Heads], int] | None = None
    inner: str = "intermediate_size"


def token_table(config: Config, tally: Tally, *, width: int | None = None) -> None:
    """Count the token embedding."""
    tally.add(EMBEDDING, config.size("vocab_size") * (width or config.size("hidden_size")))


def attention_numbers(config: Config, heads: Heads, layers: Layers) -> int:
    """Numbers of one layer's attention, without its norms."""
    bias = switched(config, layers.bias)
    out_bias = bias if layers.out_bias is None else switched(config, layers.out_bias)
    numbers = grouped_attention(heads, bias=bias, out_bias=out_bias)
    return numbers + (layers.beside_heads(config, heads) if layers.beside_heads else 0)


def qk_norm_numbers(config: Config, heads: Heads, layers: Layers) -> int:
    """Numbers that normalise queries and keys in one layer."""
    return layers.qk_norm(heads) if switched(config, layers.qk_switch) else 0


def norm_numbers(config: Config, layers: Layers, *, count: int) -> int:
    """Numbers of `count` layers' norms and of the final one."""
    width = layer_norm(config.size("hidden_size"), bias=switched(config, layers.norm_bias))
    return width * (layers.norms_count * count + (1 if layers.final_norm else 0))


def mlp_numbers(config: Config, layers: Layers, *, inner: int | None = None) -> int:
    """Numbers of one dense MLP."""
    hidden = config.size("hidden_size")
    width = config.size(layers.inner) if inner is None else inner
    count = gated_mlp if layers.gated else plain_mlp
    return count(hidden, width, bias=switched(config, layers.mlp_bias))


def decoder(
    config: Config, layers: Layers, *, experts: Experts | None = None, inner: int | None = None
) -> Tally:
    """Embedding, layers and final norm of a decoder with grouped attention; the head comes later."""
    tally = Tally()
    count = config.size("num_hidden_layers")
    heads = heads_of(config, stated_size=layers.stated_size)
    token_table(config, tally)
    tally.add(ATTENTION, count * attention_numbers(config, heads, layers))
    tally.add(
        NORMS, count * qk_norm_numbers(config, heads, layers) + norm_numbers(config, layers, count=count)
    )
    dense = count - (experts.layers if experts else 0)
    if dense:
        tally.add(MLP, dense * mlp_numbers(config, layers, inner=inner))
    if experts:
        add_experts(tally, experts)
    return tally


def add_experts(tally: Tally, experts: Experts) -> None:
    """Count the layers with experts."""
    tally.experts(experts.one, count=experts.count, chosen=experts.chosen, layers=experts.layers)
    tally.add(ROUTER, experts.layers * experts.router)
    tally.add(SHARED, experts.layers * experts.shared)


def sparse_layers(config: Config, *, step_key: str = "decoder_sparse_step") -> int:
    """Layers with experts where every `step`-th has them except those listed as dense."""
    count = config.size("num_hidden_layers")
    step = config.size(step_key, otherwise=1)
    listed = set(config.sizes("mlp_only_layers"))
    return sum(1 for i in range(count) if i not in listed and (i + 1) % step == 0)


def layers_of_kind(config: Config, key: str, kind: str) -> int | None:
    """How many layers the file lists as `kind` under `key`; None if it lists none at all."""
    kinds = config.words(key)
    if not kinds:
        return None
    count = config.size("num_hidden_layers")
    if len(kinds) != count:
        raise config.refuse(key, f"{len(kinds)} items for {count} layers; one for each is needed")
    return sum(1 for item in kinds if item == kind)
