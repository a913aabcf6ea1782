"""Decoders with routed experts and grouped attention."""

from __future__ import annotations

from collections.abc import Callable

from planner.architectures.blocks import (
    Experts,
    Heads,
    Layers,
    add_experts,
    attention_numbers,
    decoder,
    even_head,
    head_norm,
    heads_of,
    layers_of_kind,
    mlp_numbers,
    norm_numbers,
    qk_norm_numbers,
    sparse_layers,
    token_table,
    width_norm,
)
from planner.architectures.config import Config
from planner.architectures.tally import (
    ATTENTION,
    BUFFERS,
    COPIES,
    MLP,
    NORMS,
    PREDICTION,
    ROUTER,
    Tally,
    gated_mlp,
    linear,
)


def routed(
    config: Config, *, layers: int, count_key: str, inner_key: str, chosen_key: str = "num_experts_per_tok"
) -> Experts:
    """Gated experts behind a router without bias, by the keys that the family has for them."""
    hidden = config.size("hidden_size")
    count = config.size(count_key)
    return Experts(
        layers=layers,
        count=count,
        chosen=chosen_experts(config, chosen_key, count=count),
        one=gated_mlp(hidden, config.size(inner_key)) if layers else 0,
        router=linear(hidden, count),
    )


def chosen_experts(config: Config, key: str, *, count: int) -> int:
    """Experts that a token is sent to; all of them where neither file nor class says."""
    if not config.has(key) and config.default(key) is None:
        config.notes.assume(f"every expert active ({key} is not in the file)")
        return count
    return config.size(key)


def with_shared(experts: Experts, numbers: int) -> Experts:
    """The same experts with `numbers` that every token passes beside them."""
    return Experts(
        experts.layers, experts.count, experts.chosen, experts.one, experts.router, experts.shared + numbers
    )


def _every_layer(config: Config) -> Experts:
    """Experts in every layer, as wide as `intermediate_size`."""
    layers = config.size("num_hidden_layers")
    return routed(config, layers=layers, count_key="num_local_experts", inner_key="intermediate_size")


def mixtral(config: Config) -> Tally:
    """Experts in every layer."""
    return decoder(config, Layers(bias=False), experts=_every_layer(config))


def minimax_m2(config: Config) -> Tally:
    """Experts in every layer, queries and keys normalised over all heads."""
    experts = _every_layer(config)
    tally = decoder(config, Layers(bias=False, qk_norm=width_norm), experts=experts)
    tally.beside(BUFFERS, experts.layers * experts.count)
    return tally


def granitemoe(config: Config) -> Tally:
    """Experts in every layer."""
    return decoder(config, Layers(), experts=_every_layer(config))


def phimoe(config: Config) -> Tally:
    """Experts in every layer, norms with bias."""
    return decoder(config, Layers(norm_bias=True), experts=_every_layer(config))


def olmoe(config: Config) -> Tally:
    """Experts in every layer, queries and keys normalised over all heads."""
    layers = config.size("num_hidden_layers")
    experts = routed(config, layers=layers, count_key="num_experts", inner_key="intermediate_size")
    return decoder(config, Layers(qk_norm=_olmoe_norm), experts=experts)


def _olmoe_norm(heads: Heads) -> int:
    """Queries are normalised over the hidden size, keys over their share of it."""
    return heads.hidden + heads.hidden // heads.queries * heads.keys


def flex_olmo(config: Config) -> Tally:
    """As olmoe, with norms after the blocks."""
    layers = config.size("num_hidden_layers")
    experts = routed(config, layers=layers, count_key="num_experts", inner_key="intermediate_size")
    return decoder(config, Layers(qk_norm=width_norm), experts=experts)


def qwen2_moe(config: Config) -> Tally:
    """Experts beside one shared expert behind a gate; some layers may be dense."""
    experts = _qwen_experts(config, shared=True)
    return decoder(config, Layers(bias="qkv_bias", out_bias=False), experts=experts)


def qwen3_moe(config: Config) -> Tally:
    """Experts without a shared one; some layers may be dense."""
    return decoder(config, Layers(qk_norm=head_norm), experts=_qwen_experts(config, shared=False))


def _qwen_experts(config: Config, *, shared: bool) -> Experts:
    experts = routed(
        config, layers=sparse_layers(config), count_key="num_experts", inner_key="moe_intermediate_size"
    )
    return with_shared(experts, gated_shared_expert(config)) if shared else experts


def gated_shared_expert(config: Config) -> int:
    """One shared expert and the gate in front of it."""
    hidden = config.size("hidden_size")
    return gated_mlp(hidden, config.size("shared_expert_intermediate_size")) + hidden


def gpt_oss(config: Config) -> Tally:
    """Everything has a bias, and each head has a sink."""
    hidden, inner = config.size("hidden_size"), config.size("intermediate_size")
    count = config.size("num_local_experts")
    experts = Experts(
        layers=config.size("num_hidden_layers"),
        count=count,
        chosen=config.size("num_experts_per_tok"),
        one=gated_mlp(hidden, inner, bias=True),
        router=linear(hidden, count, bias=True),
    )
    return decoder(config, Layers(beside_heads=lambda _config, heads: heads.queries), experts=experts)


def dbrx(config: Config) -> Tally:
    """Sizes of attention and experts stand in nested configurations."""
    inside = config.child("ffn_config", "dbrx_ffn")
    attention = config.child("attn_config", "dbrx_attention")
    hidden, queries = config.size("hidden_size"), config.size("num_attention_heads")
    layers, count = config.size("num_hidden_layers"), inside.size("moe_num_experts")
    size = even_head(config, "num_attention_heads", hidden=hidden, queries=queries)
    heads = Heads(hidden, queries, attention.size("kv_n_heads"), size)
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, layers * (linear(hidden, hidden + 2 * heads.key_width) + linear(hidden, hidden)))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    one = gated_mlp(hidden, inside.size("ffn_hidden_size"))
    tally.experts(one, count=count, chosen=inside.size("moe_top_k"), layers=layers)
    tally.add(ROUTER, layers * linear(hidden, count))
    return tally


def hunyuan_v1_moe(config: Config) -> Tally:
    """Experts beside one shared MLP of the same width."""
    layers = config.size("num_hidden_layers")
    experts = routed(
        config, layers=layers, count_key="num_experts", inner_key="intermediate_size", chosen_key="moe_topk"
    )
    return decoder(config, Layers(qk_norm=head_norm), experts=with_shared(experts, experts.one))


def ernie4_5_moe(config: Config) -> Tally:
    """Experts with a correction bias beside shared ones; the first and last layers may be dense."""
    layers = config.size("num_hidden_layers")
    first, last = config.count("moe_layer_start_index"), config.raw("moe_layer_end_index")
    end = (
        layers - 1
        if last in (-1, None) or not config.has("moe_layer_end_index")
        else config.count("moe_layer_end_index")
    )
    step = config.size("moe_layer_interval", otherwise=1)
    sparse = sum(1 for i in range(layers) if (i + 1) % step == 0 and first <= i <= end)
    experts = routed(
        config,
        layers=sparse,
        count_key="moe_num_experts",
        inner_key="moe_intermediate_size",
        chosen_key="moe_k",
    )
    shared = config.count("moe_num_shared_experts") * config.size("moe_intermediate_size")
    experts = with_shared(
        experts, gated_mlp(config.size("hidden_size"), shared, bias=config.flag("use_bias")) if shared else 0
    )
    tally = decoder(config, Layers(bias="use_bias", mlp_bias="use_bias"), experts=experts)
    tally.add(ROUTER, sparse * experts.count)
    return tally


def llama4_text(config: Config) -> Tally:
    """Experts in every n-th layer beside one shared; dense layers have a width of their own."""
    layers = config.size("num_hidden_layers")
    step = config.size("interleave_moe_layer_step")
    listed = config.has("moe_layers")
    sparse = len([i for i in config.sizes("moe_layers") if i < layers]) if listed else layers // step
    experts = routed(config, layers=sparse, count_key="num_local_experts", inner_key="intermediate_size")
    inner = config.size("intermediate_size_mlp") if sparse < layers else None
    return decoder(config, Layers(), experts=with_shared(experts, experts.one), inner=inner)


def glm4_moe(config: Config) -> Tally:
    """Experts beside shared ones after the first dense layers."""
    return _late_experts(config, Layers(out_bias=False, qk_norm=head_norm, qk_switch="use_qk_norm"))


def dots1(config: Config) -> Tally:
    """As glm4_moe, queries and keys always normalised."""
    return _late_experts(config, Layers(qk_norm=head_norm))


def solar_open(config: Config) -> Tally:
    """As glm4_moe without normalised queries, experts in every layer."""
    return _late_experts(config, Layers(out_bias=False))


def deepseek_v1(config: Config) -> Tally:
    """Experts beside shared ones after the first dense layers, plain attention, no correction bias."""
    return _late_experts(config, Layers(), correction=False)


def exaone_moe(config: Config) -> Tally:
    """Experts beside shared ones, in the layers that the file lists or after the first dense ones."""
    listed = layers_of_kind(config, "mlp_layer_types", "sparse")
    return _late_experts(
        config,
        Layers(bias=False, qk_norm=head_norm),
        count_key="num_experts",
        shared_key="num_shared_experts",
        sparse=listed,
    )


def late_layers(config: Config) -> int:
    """Layers with experts: all but the first `first_k_dense_replace`."""
    layers = config.size("num_hidden_layers")
    return max(layers - config.count("first_k_dense_replace", otherwise=0), 0)


def late_experts(
    config: Config,
    *,
    layers: int,
    count_key: str = "n_routed_experts",
    shared_key: str = "n_shared_experts",
    bias: bool = False,
) -> Experts:
    """Experts of `moe_intermediate_size` beside shared ones of the same width, merged into one MLP."""
    experts = routed(config, layers=layers, count_key=count_key, inner_key="moe_intermediate_size")
    shared = config.count(shared_key, otherwise=0) * (experts.one // 3 // config.size("hidden_size"))
    return with_shared(experts, gated_mlp(config.size("hidden_size"), shared, bias=bias) if shared else 0)


def _late_experts(
    config: Config,
    layers: Layers,
    *,
    correction: bool = True,
    sparse: int | None = None,
    count_key: str = "n_routed_experts",
    shared_key: str = "n_shared_experts",
) -> Tally:
    """A decoder whose first layers are dense and whose others have routed experts, with heads that predict ahead."""
    experts = late_experts(
        config,
        layers=late_layers(config) if sparse is None else sparse,
        count_key=count_key,
        shared_key=shared_key,
    )
    tally = decoder(config, layers, experts=experts)
    if correction:
        tally.beside(BUFFERS, experts.layers * experts.count)
    heads = heads_of(config, stated_size=layers.stated_size)
    block = attention_numbers(config, heads, layers) + qk_norm_numbers(config, heads, layers)
    prediction(config, tally, block=block + layers.norms_count * heads.hidden, experts=experts)
    return tally


def prediction(config: Config, tally: Tally, *, block: int, experts: Experts) -> None:
    """Note the extra prediction layers that files of such models carry, and their copied tables.

    Each is one more layer with experts and their correction bias, three norms, and the projection of
    the embedding and the hidden state together; embedding and head are stored once more.
    """
    count = config.count("num_nextn_predict_layers", otherwise=0)
    hidden = config.size("hidden_size")
    sparse = experts.count * experts.one + experts.router + experts.shared + experts.count
    tally.beside(PREDICTION, count * (block + sparse + 3 * hidden + linear(2 * hidden, hidden)))
    tally.beside(COPIES, count * 2 * config.size("vocab_size") * hidden)


def mimo_v2_flash(config: Config) -> Tally:
    """Sliding layers have twice the key heads and a sink for each query head; values are narrower."""
    layers = config.size("num_hidden_layers")
    heads, value = heads_of(config), config.size("v_head_dim")
    sliding = layers_of_kind(config, "layer_types", "sliding_attention")
    if sliding is None:
        sliding = sum(1 for i in range(layers) if i and (i + 1) % 6)
    sparse = layers_of_kind(config, "mlp_layer_types", "sparse")
    experts = late_experts(config, layers=layers - 1 if sparse is None else sparse)
    bias = config.flag("attention_bias")
    outward = linear(heads.queries * value, heads.hidden)

    def block(keys: int) -> int:
        """Parameters of the attention of one layer with so many key heads."""
        return linear(heads.hidden, heads.query_width + keys * (heads.size + value), bias=bias) + outward

    tally = Tally()
    token_table(config, tally)
    tally.add(
        ATTENTION, (layers - sliding) * block(heads.keys) + sliding * (block(2 * heads.keys) + heads.queries)
    )
    tally.add(NORMS, norm_numbers(config, Layers(), count=layers))
    if layers > experts.layers:
        tally.add(MLP, (layers - experts.layers) * mlp_numbers(config, Layers()))
    add_experts(tally, experts)
    tally.beside(BUFFERS, experts.layers * experts.count)
    return tally


SPARSE: dict[str, Callable[[Config], Tally]] = {
    "mixtral": mixtral,
    "minimax_m2": minimax_m2,
    "granitemoe": granitemoe,
    "phimoe": phimoe,
    "olmoe": olmoe,
    "flex_olmo": flex_olmo,
    "qwen2_moe": qwen2_moe,
    "qwen3_moe": qwen3_moe,
    "qwen3_vl_moe_text": qwen3_moe,
    "gpt_oss": gpt_oss,
    "dbrx": dbrx,
    "hunyuan_v1_moe": hunyuan_v1_moe,
    "ernie4_5_moe": ernie4_5_moe,
    "llama4_text": llama4_text,
    "glm4_moe": glm4_moe,
    "dots1": dots1,
    "solar_open": solar_open,
    "deepseek": deepseek_v1,
    "exaone_moe": exaone_moe,
    "mimo_v2_flash": mimo_v2_flash,
}
