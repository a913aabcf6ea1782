"""Decoders whose attention goes through a narrow latent (MLA), mostly with routed experts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.architectures.blocks import (
    Experts,
    Layers,
    add_experts,
    layers_of_kind,
    mlp_numbers,
    token_table,
)
from planner.architectures.config import Config
from planner.architectures.sparse import late_experts, late_layers, prediction
from planner.architectures.tally import ATTENTION, BUFFERS, MLP, NORMS, Tally, layer_norm, linear


@dataclass(frozen=True, slots=True)
class Latent:
    """Numbers of one layer's latent attention.

    Attributes:
        maps: Its linear maps.
        norms: Norms of its latents.
    """

    maps: int
    norms: int


def latent_attention(config: Config, *, bias: bool = False) -> Latent:
    """Queries directly or through a latent, keys and values through one.

    A bias, where the file asks for it, sits on the maps into the latents and on the output.
    """
    hidden, heads = config.size("hidden_size"), config.size("num_attention_heads")
    rope, nope = config.size("qk_rope_head_dim"), config.size("qk_nope_head_dim")
    value, kv_rank = config.size("v_head_dim"), config.size("kv_lora_rank")
    q_rank = config.optional("q_lora_rank")
    if q_rank is None:
        query, norm = linear(hidden, heads * (nope + rope)), 0
    else:
        query, norm = linear(hidden, q_rank, bias=bias) + linear(q_rank, heads * (nope + rope)), q_rank
    keys = linear(hidden, kv_rank + rope, bias=bias) + linear(kv_rank, heads * (nope + value))
    return Latent(query + keys + linear(heads * value, hidden, bias=bias), norm + kv_rank)


def _decoder(
    config: Config, attention: Latent, *, experts: Experts, correction: bool, layers: Layers | None = None
) -> Tally:
    """A decoder with latent attention: dense layers first, then layers with experts."""
    count, hidden = config.size("num_hidden_layers"), config.size("hidden_size")
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, count * attention.maps)
    tally.add(NORMS, count * (attention.norms + 2 * hidden) + hidden)
    if count > experts.layers:
        tally.add(MLP, (count - experts.layers) * mlp_numbers(config, layers or Layers()))
    add_experts(tally, experts)
    if correction:
        tally.beside(BUFFERS, experts.layers * experts.count)
    prediction(config, tally, block=attention.maps + attention.norms + 2 * hidden, experts=experts)
    return tally


def deepseek_v2(config: Config) -> Tally:
    """Experts after the first dense layers."""
    attention = latent_attention(config, bias=config.flag("attention_bias"))
    bias = config.flag("mlp_bias")
    experts = late_experts(config, layers=late_layers(config), bias=bias)
    return _decoder(config, attention, experts=experts, correction=False, layers=Layers(mlp_bias=bias))


def deepseek_v3(config: Config) -> Tally:
    """As deepseek_v2; files hold a correction bias of the router and extra prediction layers."""
    attention = latent_attention(config, bias=config.flag("attention_bias"))
    experts = late_experts(config, layers=late_layers(config))
    return _decoder(config, attention, experts=experts, correction=True)


def glm4_moe_lite(config: Config) -> Tally:
    """As deepseek_v3, the dense layers listed one by one."""
    attention = latent_attention(config, bias=config.flag("attention_bias"))
    return _decoder(config, attention, experts=_listed_experts(config, first=1), correction=True)


def _listed_experts(config: Config, *, first: int) -> Experts:
    """Experts in the layers that the file lists, or after the first few."""
    layers = config.size("num_hidden_layers")
    sparse = layers_of_kind(config, "mlp_layer_types", "sparse")
    if sparse is None:
        dense = config.count("first_k_dense_replace", otherwise=first)
        sparse = max(layers - dense, 0)
    return late_experts(config, layers=sparse)


def indexed(config: Config) -> Tally:
    """As deepseek_v3 with a sparse-attention indexer in the layers that have one."""
    layers = config.size("num_hidden_layers")
    attention = latent_attention(config, bias=config.flag("attention_bias"))
    tally = _decoder(config, attention, experts=_listed_experts(config, first=3), correction=True)
    full = layers_of_kind(config, "indexer_types", "full")
    tally.add(ATTENTION, (layers if full is None else full) * _indexer(config))
    return tally


def _indexer(config: Config) -> int:
    heads, size = config.size("index_n_heads"), config.size("index_head_dim")
    hidden, rank = config.size("hidden_size"), config.size("q_lora_rank")
    return linear(rank, heads * size) + linear(hidden, size) + layer_norm(size) + linear(hidden, heads)


LATENT: dict[str, Callable[[Config], Tally]] = {
    "deepseek_v2": deepseek_v2,
    "deepseek_v3": deepseek_v3,
    "kimi_k2": deepseek_v3,
    "mistral4": deepseek_v3,
    "glm4_moe_lite": glm4_moe_lite,
    "deepseek_v32": indexed,
    "glm_moe_dsa": indexed,
}
