"""Text encoders of the BERT kind, and the heads that their classes put on top."""

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
    PROJECTOR,
    Tally,
    layer_norm,
    linear,
)
from planner.architectures.towers import transformer


def _tables(config: Config, tally: Tally, *, width: int, positions: bool = True) -> None:
    """Count word, position and kind tables and the norm over their sum."""
    tally.add(EMBEDDING, config.size("vocab_size") * width)
    rows = config.size("max_position_embeddings") if positions else 0
    tally.add(POSITIONS, (rows + config.count("type_vocab_size", otherwise=0)) * width)
    tally.add(NORMS, layer_norm(width))


def bert(config: Config) -> Tally:
    """Layers with biases everywhere over three tables."""
    hidden = config.size("hidden_size")
    tally = Tally()
    _tables(config, tally, width=hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    return tally


def layoutlm(config: Config) -> Tally:
    """As bert with four tables for the place on the page."""
    tally = bert(config)
    tally.add(POSITIONS, 4 * config.size("max_2d_position_embeddings") * config.size("hidden_size"))
    return tally


def distilbert(config: Config) -> Tally:
    """As bert without kinds of token."""
    hidden = config.size("hidden_size")
    tally = Tally()
    _tables(config, tally, width=hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("hidden_dim")
    )
    return tally


def electra(config: Config) -> Tally:
    """As bert, the tables narrower than the layers."""
    hidden, width = config.size("hidden_size"), config.size("embedding_size")
    tally = Tally()
    _tables(config, tally, width=width)
    tally.add(PROJECTOR, 0 if width == hidden else linear(width, hidden, bias=True))
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    return tally


def albert(config: Config) -> Tally:
    """As electra, all layers of a group being the same one."""
    hidden, width = config.size("hidden_size"), config.size("embedding_size")
    own = config.size("num_hidden_groups") * config.size("inner_group_num")
    tally = Tally()
    _tables(config, tally, width=width)
    tally.add(PROJECTOR, linear(width, hidden, bias=True))
    transformer(tally, layers=own, hidden=hidden, inner=config.size("intermediate_size"))
    return tally


def deberta_v2(config: Config) -> Tally:
    """As bert, with relative positions whose keys and queries are shared with the content's or their own."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    width = config.optional("embedding_size") or hidden
    tally = Tally()
    tally.add(EMBEDDING, config.size("vocab_size") * width)
    rows = config.size("max_position_embeddings") if config.flag("position_biased_input") else 0
    tally.add(POSITIONS, (rows + config.count("type_vocab_size", otherwise=0)) * width)
    tally.add(PROJECTOR, 0 if width == hidden else linear(width, hidden))
    tally.add(NORMS, layer_norm(hidden))
    transformer(tally, layers=layers, hidden=hidden, inner=config.size("intermediate_size"))
    if config.flag("relative_attention"):
        _relative(config, tally, hidden=hidden, layers=layers)
    if "layer_norm" in config.word("norm_rel_ebd", otherwise="none").lower():
        tally.add(NORMS, layer_norm(hidden))
    kernel = config.count("conv_kernel_size", otherwise=0)
    if kernel:
        groups = config.size("conv_groups", otherwise=1)
        tally.add(CONVOLUTION, hidden * (hidden // groups) * kernel + hidden)
        tally.add(NORMS, layer_norm(hidden))
    return tally


def _relative(config: Config, tally: Tally, *, hidden: int, layers: int) -> None:
    """Positions as DeBERTa learns them: a table of distances, and maps for those kinds of attention that do not share."""
    spans = config.raw("max_relative_positions")
    reach = spans if isinstance(spans, int) and spans > 0 else config.size("max_position_embeddings")
    buckets = config.raw("position_buckets")
    reach = buckets if isinstance(buckets, int) and buckets > 0 else reach
    tally.add(POSITIONS, 2 * reach * hidden)
    if not config.flag("share_att_key"):
        stated = config.raw("pos_att_type")
        kinds = stated.split("|") if isinstance(stated, str) else list(config.words("pos_att_type"))
        own = sum(1 for kind in ("c2p", "p2c") if kind in kinds)
        tally.add(ATTENTION, own * layers * linear(hidden, hidden, bias=True))


def modernbert(config: Config) -> Tally:
    """Rotary positions, gated MLPs, no bias unless asked for; the first layer has no norm before attention."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    inner, bias = config.size("intermediate_size"), config.flag("mlp_bias")
    attention = config.flag("attention_bias")
    norm = layer_norm(hidden, bias=config.flag("norm_bias"))
    tally = Tally()
    tally.add(EMBEDDING, config.size("vocab_size") * hidden)
    tally.add(
        ATTENTION,
        layers * (linear(hidden, 3 * hidden, bias=attention) + linear(hidden, hidden, bias=attention)),
    )
    tally.add(MLP, layers * (linear(hidden, 2 * inner, bias=bias) + linear(inner, hidden, bias=bias)))
    tally.add(NORMS, (2 * layers + 1) * norm)
    return tally


def esm(config: Config) -> Tally:
    """As bert with a norm before each block and one after the last layer."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    absolute = config.word("position_embedding_type", otherwise="absolute") == "absolute"
    tally = Tally()
    tally.add(EMBEDDING, config.size("vocab_size") * hidden)
    tally.add(POSITIONS, config.size("max_position_embeddings") * hidden if absolute else 0)
    tally.add(NORMS, (2 if config.flag("emb_layer_norm_before") else 1) * layer_norm(hidden))
    transformer(tally, layers=layers, hidden=hidden, inner=config.size("intermediate_size"))
    tally.add(HEAD, linear(layers * config.size("num_attention_heads"), 1, bias=True))
    return tally


def _word_head(config: Config, tally: Tally, *, hidden: int, width: int) -> None:
    """A map, a norm, and the embedding turned round with a bias for each word.

    A head of its own has that bias twice, once in the map and once beside it, but for two families.
    """
    words = config.size("vocab_size")
    own = 0
    if not config.flag("tie_word_embeddings", otherwise=True):
        own = words * width + (0 if config.family in ("electra", "distilbert", "esm") else words)
    tally.add(HEAD, linear(hidden, width, bias=True) + layer_norm(width) + own + words)


def _label_head(config: Config, tally: Tally, target: Target, *, hidden: int) -> None:
    """The last map of a classifier."""
    outputs = {"span": 2, "choice": 1}.get(target.task) or labels_of(config)
    tally.add(HEAD, linear(hidden, outputs, bias=True))


def _pooler(tally: Tally, hidden: int) -> None:
    tally.add(HEAD, linear(hidden, hidden, bias=True))


def bert_head(config: Config, tally: Tally, target: Target) -> None:
    """A pooler, a word head or a classifier, as the class has them."""
    hidden = config.size("hidden_size")
    if target.task in ("none", "pretraining", "sequence", "choice") or config.family == "layoutlm":
        _pooler(tally, hidden)
    if target.task in ("masked", "language", "pretraining"):
        _word_head(config, tally, hidden=hidden, width=hidden)
    if target.task == "pretraining":
        tally.add(HEAD, linear(hidden, 2, bias=True))
    if target.task in ("sequence", "tokens", "span", "choice"):
        _label_head(config, tally, target, hidden=hidden)


def roberta_head(config: Config, tally: Tally, target: Target) -> None:
    """A classifier has a map of its own in place of the pooler."""
    hidden = config.size("hidden_size")
    if target.task in ("none", "choice", "sequence"):
        _pooler(tally, hidden)
    if target.task in ("masked", "language"):
        _word_head(config, tally, hidden=hidden, width=hidden)
    if target.task in ("sequence", "tokens", "span", "choice"):
        _label_head(config, tally, target, hidden=hidden)


def distilbert_head(config: Config, tally: Tally, target: Target) -> None:
    """As roberta, a bare model without a pooler."""
    if target.task != "none":
        roberta_head(config, tally, target)


def electra_head(config: Config, tally: Tally, target: Target) -> None:
    """The discriminator's head in pre-training, the generator's over words."""
    hidden, width = config.size("hidden_size"), config.size("embedding_size")
    if target.task == "pretraining":
        tally.add(HEAD, linear(hidden, hidden, bias=True) + linear(hidden, 1, bias=True))
    elif target.task in ("masked", "language"):
        _word_head(config, tally, hidden=hidden, width=width)
    elif target.task != "none":
        roberta_head(config, tally, target)


def albert_head(config: Config, tally: Tally, target: Target) -> None:
    """As bert with a narrow word head; pre-training tells which of two sentences came first."""
    hidden, width = config.size("hidden_size"), config.size("embedding_size")
    if target.task in ("none", "pretraining", "sequence", "choice"):
        _pooler(tally, hidden)
    if target.task in ("masked", "language", "pretraining"):
        _word_head(config, tally, hidden=hidden, width=width)
    if target.task in ("pretraining", "sequence", "tokens", "span", "choice"):
        _label_head(config, tally, target, hidden=hidden)


def deberta_head(config: Config, tally: Tally, target: Target) -> None:
    """As bert, a bare model without a pooler."""
    hidden = config.size("hidden_size")
    if target.task in ("sequence", "choice"):
        _pooler(tally, hidden)
    if target.task in ("masked", "language"):
        _word_head(config, tally, hidden=hidden, width=hidden)
    elif target.task != "none":
        _label_head(config, tally, target, hidden=hidden)


def modernbert_head(config: Config, tally: Tally, target: Target) -> None:
    """A map and a norm under every head."""
    hidden = config.size("hidden_size")
    if target.task == "none":
        return
    norm = layer_norm(hidden, bias=config.flag("norm_bias"))
    tally.add(HEAD, linear(hidden, hidden, bias=config.flag("classifier_bias")) + norm)
    if target.task in ("masked", "language"):
        words = config.size("vocab_size")
        own = 0 if config.flag("tie_word_embeddings") else words * hidden
        tally.add(HEAD, own + (words if config.flag("decoder_bias") else 0))
    else:
        _label_head(config, tally, target, hidden=hidden)


ENCODERS: Mapping[
    str, tuple[Callable[[Config], Tally], Callable[[Config, Tally, Target], None], frozenset[str]]
] = {
    name: (body, head, frozenset(("masked", "none", "sequence", "tokens", "span", *more)))
    for name, body, head, more in (
        ("bert", bert, bert_head, ("language", "pretraining", "choice")),
        ("roberta", bert, roberta_head, ("language", "choice")),
        ("xlm-roberta", bert, roberta_head, ("language", "choice")),
        ("camembert", bert, roberta_head, ("language", "choice")),
        ("layoutlm", layoutlm, bert_head, ()),
        ("distilbert", distilbert, distilbert_head, ()),
        ("electra", electra, electra_head, ("language", "pretraining")),
        ("albert", albert, albert_head, ("pretraining", "choice")),
        ("deberta-v2", deberta_v2, deberta_head, ()),
        ("modernbert", modernbert, modernbert_head, ()),
        ("esm", esm, roberta_head, ()),
    )
}
"""Text encoders by `model_type`: body, head, and the heads that are counted exactly."""
