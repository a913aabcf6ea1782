"""Dimensions of a model as far as its configuration states them."""

from __future__ import annotations

from collections.abc import Iterable

from planner.architectures.architecture import Shape
from planner.architectures.config import Config

_EXPERTS = ("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts")
_CHOSEN = ("num_experts_per_tok", "moe_topk", "moe_k", "experts_per_token")


def shape_of(config: Config) -> Shape:
    """Dimensions that a configuration or its class states; what neither states stays open."""
    hidden = _first(config, ("hidden_size", "d_model"))
    heads = _first(config, ("num_attention_heads", "num_heads"))
    stated = _first(config, ("head_dim", "d_kv"))
    size = stated or (hidden // heads if hidden and heads else None)
    return Shape(
        layers_count=_layers(config),
        hidden_size=hidden,
        heads_count=heads,
        kv_heads_count=_first(config, ("num_key_value_heads", "num_kv_heads")) or heads,
        head_size=size,
        vocabulary_size=_first(config, ("vocab_size",)),
        positions_count=_first(config, ("max_position_embeddings", "n_positions", "max_seq_len")),
        experts_count=_first(config, _EXPERTS),
        active_experts_count=_first(config, _CHOSEN),
    )


def _layers(config: Config) -> int | None:
    """Layers; of both sides where the model has an encoder and a decoder."""
    encoder, decoder = (
        _first(config, ("encoder_layers",)),
        _first(config, ("decoder_layers", "num_decoder_layers")),
    )
    one = _first(config, ("num_hidden_layers", "num_layers", "n_layers"))
    if encoder and decoder:
        return encoder + decoder
    if config.family in ("t5", "mt5", "umt5", "switch_transformers") and one:
        return one + (decoder or one)
    return one


def _first(config: Config, keys: Iterable[str]) -> int | None:
    """The first of the keys that the file or the class states as a plain whole number."""
    for key in keys:
        value = config.raw(key) if config.has(key) else config.default(key)
        if isinstance(value, str) and value.isdigit() and len(value) < 10:
            value = int(value)
        if isinstance(value, float) and value.is_integer() and value < 1e9:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9:
            return value
    return None
