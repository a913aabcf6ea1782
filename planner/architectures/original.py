"""The original format of Llama and Mistral: `params.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planner.architectures.architecture import Architecture, Shape
from planner.architectures.blocks import Experts, Heads, add_experts, even_head, grouped_attention
from planner.architectures.config import Config, Notes
from planner.architectures.stored import check_total
from planner.architectures.tally import (
    ATTENTION,
    EMBEDDING,
    HEAD,
    MLP,
    NORMS,
    PROJECTOR,
    VISION,
    Tally,
    gated_mlp,
    linear,
)
from planner.architectures.towers import pixtral_vision

LLAMA_2_WORDS = 32_000
"""Vocabulary of Llama 1 and 2, whose files state -1."""
_SHARED_HEADS = frozenset((2048, 3072))
"""Widths of the two Llama 3.2 models whose head is the embedding, which their file does not say."""
_UNKNOWN = ("moe_args", "vision_args", "q_lora_rank", "kv_lora_rank", "sparse", "ssm_cfg")
"""Keys of generations of the format whose sizes are not read here."""


def is_original(values: Mapping[str, Any]) -> bool:
    """Whether an object is a `params.json`."""
    return "dim" in values and "n_layers" in values and "n_heads" in values and "model_type" not in values


def read_original(values: Mapping[str, Any], notes: Notes, *, source: str) -> Architecture:
    """A model by its original parameters.

    Llama states a multiple for the MLP's width, Mistral the width itself.

    Raises:
        ArchitectureError: A size is missing or impossible, or the file describes another generation.
    """
    config = Config(values, "", notes)
    for key in _UNKNOWN:
        if values.get(key):
            raise config.refuse(key, "params.json of this generation is not known here; take the config.json")
    mistral = config.has("hidden_dim")
    heads = _heads(config)
    words, tied = _words(config, heads, mistral=mistral)
    layers = config.size("n_layers")
    experts = _experts(config)
    inner = config.size("hidden_dim") if mistral else _llama_inner(config, heads.hidden)
    tally = Tally()
    tally.add(EMBEDDING, words * heads.hidden)
    tally.add(ATTENTION, layers * grouped_attention(heads))
    tally.add(NORMS, (2 * layers + 1) * heads.hidden)
    _add_mlp(tally, heads.hidden, inner, layers=layers, experts=experts)
    tally.add(HEAD, 0 if tied else words * heads.hidden)
    _add_vision(config, tally, heads.hidden)
    return Architecture(
        name="",
        family="mistral" if mistral else "llama",
        kind="exact" if _states_words(config) and not notes.doubts else "estimate",
        total_parameters=check_total(tally.total),
        active_parameters=tally.active,
        breakdown=tally.parts(),
        shape=Shape(
            layers_count=layers,
            hidden_size=heads.hidden,
            heads_count=heads.queries,
            kv_heads_count=heads.keys,
            head_size=heads.size,
            vocabulary_size=words,
            experts_count=experts[0] if experts else None,
            active_experts_count=experts[1] if experts else None,
        ),
        remarks=tuple(notes.remarks),
        assumed=tuple(notes.assumed),
        source=source,
    )


def _heads(config: Config) -> Heads:
    hidden, queries = config.size("dim"), config.size("n_heads")
    size = config.optional("head_dim") or even_head(config, "n_heads", hidden=hidden, queries=queries)
    return Heads(hidden, queries, config.optional("n_kv_heads") or queries, size)


def _states_words(config: Config) -> bool:
    """Whether the file states the rows of the embedding; -1 leaves them to the tokenizer."""
    return config.has("vocab_size") and config.raw("vocab_size") not in (-1, "-1")


def _words(config: Config, heads: Heads, *, mistral: bool) -> tuple[int, bool]:
    """Rows of the embedding, and whether the head is the embedding."""
    if not _states_words(config):
        config.notes.assume(f"vocab_size {LLAMA_2_WORDS:,} (the file leaves it to the tokenizer)")
        return LLAMA_2_WORDS, False
    words = config.size("vocab_size")
    if mistral:
        return words, config.flag("tied_embeddings")
    tied = heads.hidden in _SHARED_HEADS and config.flag("use_scaled_rope")
    if tied:
        config.notes.assume("the head is the embedding, as in Llama 3.2 1B and 3B (the file does not say)")
    return words, tied


def _llama_inner(config: Config, hidden: int) -> int:
    """Two thirds of four times the width, scaled, rounded up to a multiple."""
    inner = int(2 * (4 * hidden) / 3)
    if config.has("ffn_dim_multiplier"):
        inner = int(config.number("ffn_dim_multiplier", otherwise=1.0) * inner)
    step = config.size("multiple_of", otherwise=256)
    return max(step * ((inner + step - 1) // step), step)


def _experts(config: Config) -> tuple[int, int] | None:
    """Experts of one layer, and those that a token is sent to."""
    if not config.has("moe"):
        return None
    inside = config.child("moe", "")
    return inside.size("num_experts"), inside.size("num_experts_per_tok")


def _add_mlp(tally: Tally, hidden: int, inner: int, *, layers: int, experts: tuple[int, int] | None) -> None:
    one = gated_mlp(hidden, inner)
    if experts is None:
        tally.add(MLP, layers * one)
        return
    count, chosen = experts
    add_experts(tally, Experts(layers, count, chosen, one, linear(hidden, count)))


def _add_vision(config: Config, tally: Tally, hidden: int) -> None:
    """Count a Pixtral tower and what joins it to the text."""
    if not config.has("vision_encoder"):
        return
    tower = config.child("vision_encoder", "")
    wide, bias = tower.size("hidden_size"), tower.flag("adapter_bias", otherwise=True)
    tally.take(pixtral_vision(tower), into=VISION)
    tally.add(PROJECTOR, linear(wide, hidden, bias=bias) + linear(hidden, hidden, bias=bias))
    if tower.word("mm_projector_id") == "patch_merge":
        tally.add(PROJECTOR, linear(wide * tower.size("spatial_merge_size") ** 2, wide))
    if tower.flag("add_pre_mm_projector_layer_norm"):
        tally.add(PROJECTOR, wide)
