"""What a class puts on top of its layers: a language head, a classifier, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from planner.architectures.config import Config
from planner.architectures.tally import HEAD, Tally, linear

Task = Literal[
    "language",
    "masked",
    "pretraining",
    "none",
    "sequence",
    "tokens",
    "span",
    "choice",
    "image",
    "letters",
    "other",
]

_TASKS: tuple[tuple[str, Task], ...] = (
    ("ForCausalLM", "language"),
    ("LMHeadModel", "language"),
    ("WithLMHeadModel", "language"),
    ("ForConditionalGeneration", "language"),
    ("ForMaskedLM", "masked"),
    ("ForPreTraining", "pretraining"),
    ("ForSequenceClassification", "sequence"),
    ("ForTokenClassification", "tokens"),
    ("ForQuestionAnswering", "span"),
    ("ForMultipleChoice", "choice"),
    ("ForImageClassification", "image"),
    ("ForCTC", "letters"),
    ("MTModel", "language"),
    ("DoubleHeadsModel", "other"),
    ("Model", "none"),
)


@dataclass(frozen=True, slots=True)
class Target:
    """What stands on top of the layers.

    Attributes:
        task: Kind of head.
        architecture: Name of the class in the file; empty if it names none.
        known: Whether the name is one whose head is known.
    """

    task: Task
    architecture: str
    known: bool


def target_of(config: Config, usual: Task) -> Target:
    """The class that the file names, or the family's usual one."""
    named = config.values.get("architectures")
    name = named[0] if isinstance(named, list) and named else named
    if not isinstance(name, str) or not name:
        config.notes.assume(f"the usual class of {config.family} (the file names none)")
        return Target(usual, "", known=True)
    for ending, task in _TASKS:
        if name.endswith(ending):
            return Target(task, name, known=task != "other")
    return Target(usual, name, known=False)


def prefix_of(architecture: str) -> str:
    """Name of a class without what it is for: "LlamaForCausalLM" gives "llama"."""
    return re.sub(
        r"(For[A-Z]\w*|WithLMHeadModel|LMHeadModel|DoubleHeadsModel|MTModel|Model|Encoder)$", "", architecture
    ).casefold()


def labels_of(config: Config, *, usual: int = 2) -> int:
    """Classes of a classifier: as named in the file, or as many as the class takes."""
    named = config.values.get("id2label")
    if isinstance(named, dict) and named:
        return len(named)
    stated = config.optional("num_labels") or config.optional("_num_labels")
    return stated or usual


def decoder_head(
    config: Config,
    tally: Tally,
    target: Target,
    *,
    bias: bool = False,
    width: int | None = None,
    tied: bool | None = None,
) -> None:
    """Head of a decoder: its own or shared with the embedding, or a classifier in its place.

    Args:
        config: Configuration of the decoder.
        tally: Where the head is counted.
        target: What stands on top.
        bias: Whether a language head has a bias.
        width: Width of what it reads, if not the hidden size.
        tied: Whether the head is the embedding; None if the file or the class says.
    """
    wide = width or config.size("hidden_size")
    if target.task in ("language", "masked", "pretraining", "other", "image"):
        words = config.size("vocab_size")
        shared = config.flag("tie_word_embeddings") if tied is None else tied
        tally.add(HEAD, (0 if shared else words * wide) + (words if bias else 0))
    elif target.task == "sequence":
        tally.add(HEAD, linear(wide, labels_of(config)))
    elif target.task == "tokens":
        tally.add(HEAD, linear(wide, labels_of(config), bias=True))
    elif target.task in ("span", "choice"):
        tally.add(HEAD, linear(wide, 2 if target.task == "span" else 1, bias=True))


Head = Callable[[Config, Tally, Target], None]


def biased_head(config: Config, tally: Tally, target: Target) -> None:
    """A language head with bias."""
    decoder_head(config, tally, target, bias=True)


def phimoe_head(config: Config, tally: Tally, target: Target) -> None:
    """A language head whose bias the file decides."""
    decoder_head(config, tally, target, bias=config.flag("lm_head_bias"))


def ernie_head(config: Config, tally: Tally, target: Target) -> None:
    """A language head with a bias if the layers have one."""
    decoder_head(config, tally, target, bias=config.flag("use_bias"))


def opt_head(config: Config, tally: Tally, target: Target) -> None:
    """A language head as wide as the embedding."""
    decoder_head(config, tally, target, width=config.optional("word_embed_proj_dim"))


def own_head(config: Config, tally: Tally, target: Target) -> None:
    """A language head of its own, whatever the file says of tying."""
    decoder_head(config, tally, target, tied=False)


SPECIAL_HEADS: Mapping[str, Head] = {
    "phi": biased_head,
    "gptj": biased_head,
    "codegen": biased_head,
    "phimoe": phimoe_head,
    "ernie4_5_moe": ernie_head,
    "opt": opt_head,
    "nemotron_h": own_head,
}
"""Families whose head is not simply the embedding's transpose."""
