"""Models with an encoder and a decoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from planner.architectures.config import Config
from planner.architectures.heads import Target, labels_of
from planner.architectures.tally import (
    ATTENTION,
    CONVOLUTION,
    EMBEDDING,
    HEAD,
    MLP,
    NORMS,
    POSITIONS,
    ROUTER,
    Tally,
    layer_norm,
    linear,
    plain_mlp,
)


def _t5_layers(config: Config, tally: Tally, *, every_layer: bool) -> tuple[int, int]:
    """Count everything of T5 but its MLPs; returns the layers of encoder and decoder."""
    width, heads = config.size("d_model"), config.size("num_heads")
    encoder = config.size("num_layers")
    decoder = config.optional("num_decoder_layers") or encoder
    projection = width * heads * config.size("d_kv")
    tables = encoder + decoder if every_layer else 2
    tally.add(EMBEDDING, config.size("vocab_size") * width)
    tally.add(POSITIONS, tables * config.size("relative_attention_num_buckets") * heads)
    tally.add(ATTENTION, 4 * projection * encoder + 8 * projection * decoder)
    tally.add(NORMS, (2 * encoder + 3 * decoder + 2) * width)
    return encoder, decoder


def t5(config: Config) -> Tally:
    """Relative positions, RMS norms, no bias; the inner width of attention is its own."""
    tally = Tally()
    every = config.family == "umt5"
    encoder, decoder = _t5_layers(config, tally, every_layer=every)
    gated = config.word("feed_forward_proj", otherwise="relu").startswith("gated")
    tally.add(MLP, (encoder + decoder) * (3 if gated else 2) * config.size("d_model") * config.size("d_ff"))
    return tally


def switch(config: Config) -> Tally:
    """As T5 with experts in some layers, one of which a token is sent to."""
    tally = Tally()
    encoder, decoder = _t5_layers(config, tally, every_layer=False)
    width, count = config.size("d_model"), config.size("num_experts")
    sparse = _switch_layers(config, "num_sparse_encoder_layers", encoder)
    sparse += _switch_layers(config, "num_sparse_decoder_layers", decoder)
    one = plain_mlp(width, config.size("d_ff"))
    tally.add(MLP, (encoder + decoder - sparse) * one)
    tally.experts(one, count=count, chosen=1, layers=sparse)
    tally.add(ROUTER, sparse * linear(width, count, bias=config.flag("router_bias")))
    return tally


def _switch_layers(config: Config, key: str, layers: int) -> int:
    stated = config.count(key)
    step = layers // stated if stated else layers
    return sum(1 for i in range(layers) if step and (step == 1 or i % step == 1))


def t5_head(config: Config, tally: Tally, target: Target) -> None:
    """A head of its own where the file unties it."""
    width = config.size("d_model")
    if target.task == "language":
        tied = config.flag("tie_word_embeddings", otherwise=True)
        tally.add(HEAD, 0 if tied else config.size("vocab_size") * width)
    elif target.task == "sequence":
        tally.add(HEAD, linear(width, width, bias=True) + linear(width, labels_of(config), bias=True))
    elif target.task in ("tokens", "span"):
        tally.add(HEAD, linear(width, 2 if target.task == "span" else labels_of(config), bias=True))


def _both(config: Config, tally: Tally, *, key_bias: bool = True) -> None:
    """Count encoder and decoder layers with biases everywhere, the decoder attending twice."""
    width = config.size("d_model")
    encoder, decoder = config.size("encoder_layers"), config.size("decoder_layers")
    attention = 4 * linear(width, width, bias=True) - (0 if key_bias else width)
    tally.add(EMBEDDING, config.size("vocab_size") * width)
    tally.add(ATTENTION, (encoder + 2 * decoder) * attention)
    tally.add(MLP, encoder * plain_mlp(width, config.size("encoder_ffn_dim"), bias=True))
    tally.add(MLP, decoder * plain_mlp(width, config.size("decoder_ffn_dim"), bias=True))
    tally.add(NORMS, (2 * encoder + 3 * decoder) * layer_norm(width))


def _spread(config: Config, *, offset: int, tables: int, norms: int) -> Tally:
    """Encoder and decoder with `tables` position tables and `norms` norms around the layers."""
    width = config.size("d_model")
    tally = Tally()
    _both(config, tally)
    tally.add(POSITIONS, tables * (config.size("max_position_embeddings") + offset) * width if tables else 0)
    tally.add(NORMS, norms * layer_norm(width))
    return tally


def bart(config: Config) -> Tally:
    """Position tables two rows longer than stated, embeddings normalised."""
    return _spread(config, offset=2, tables=2, norms=2)


def mbart(config: Config) -> Tally:
    """As bart with a norm after each side."""
    return _spread(config, offset=2, tables=2, norms=4)


def pegasus(config: Config) -> Tally:
    """Computed positions that are kept as a table, a norm after each side."""
    return _spread(config, offset=0, tables=2, norms=2)


def marian(config: Config) -> Tally:
    """As pegasus without the last norms."""
    return _spread(config, offset=0, tables=2, norms=0)


def m2m_100(config: Config) -> Tally:
    """Computed positions that are not kept, a norm after each side."""
    return _spread(config, offset=0, tables=0, norms=2)


def nllb_moe(config: Config) -> Tally:
    """As m2m_100 with experts in every n-th layer, two of which a token is sent to."""
    width, count = config.size("d_model"), config.size("num_experts")
    tally = m2m_100(config)
    for side in ("encoder", "decoder"):
        layers, step = config.size(f"{side}_layers"), config.count(f"{side}_sparse_step")
        sparse = layers // step if step else 0
        one = plain_mlp(width, config.size(f"{side}_ffn_dim"), bias=True)
        tally.add(MLP, -sparse * one)
        tally.experts(one, count=count, chosen=2, layers=sparse)
        tally.add(ROUTER, sparse * linear(width, count, bias=config.flag("router_bias")))
    return tally


def whisper(config: Config) -> Tally:
    """Two convolutions over the spectrum, position tables, keys without bias, a norm after each side."""
    width = config.size("d_model")
    tally = Tally()
    _both(config, tally, key_bias=False)
    bins = config.size("num_mel_bins")
    tally.add(CONVOLUTION, linear(3 * bins, width, bias=True) + linear(3 * width, width, bias=True))
    tally.add(POSITIONS, (config.size("max_source_positions") + config.size("max_target_positions")) * width)
    tally.add(NORMS, 2 * layer_norm(width))
    return tally


def bart_head(config: Config, tally: Tally, target: Target) -> None:
    """The embedding turned round, or a classifier."""
    width = config.size("d_model")
    if target.task == "language":
        tied = config.flag("tie_word_embeddings", otherwise=True)
        tally.add(HEAD, 0 if tied else config.size("vocab_size") * width)
    elif target.task == "sequence":
        labels = labels_of(config, usual=3 if config.family == "bart" else 2)
        tally.add(HEAD, linear(width, width, bias=True) + linear(width, labels, bias=True))
    elif target.task == "span":
        tally.add(HEAD, linear(width, 2, bias=True))


SEQ2SEQ: Mapping[str, tuple[Callable[[Config], Tally], Callable[[Config, Tally, Target], None]]] = {
    "t5": (t5, t5_head),
    "mt5": (t5, t5_head),
    "umt5": (t5, t5_head),
    "switch_transformers": (switch, t5_head),
    "bart": (bart, bart_head),
    "mbart": (mbart, bart_head),
    "pegasus": (pegasus, bart_head),
    "marian": (marian, bart_head),
    "m2m_100": (m2m_100, bart_head),
    "nllb-moe": (nllb_moe, bart_head),
    "whisper": (whisper, bart_head),
}
"""Encoder-decoder families by `model_type`: body and head."""
