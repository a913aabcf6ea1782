"""The families whose parameters are counted to the last one, and how a file's family is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.architectures.carried import CARRIED, always_language
from planner.architectures.classic import CLASSIC
from planner.architectures.config import Config, Notes
from planner.architectures.dense import DENSE, dense, plain_llama
from planner.architectures.encoders import ENCODERS
from planner.architectures.heads import SPECIAL_HEADS, Head, Task, decoder_head, prefix_of
from planner.architectures.hybrid import HYBRID
from planner.architectures.latent import LATENT
from planner.architectures.mixing import MIXING
from planner.architectures.multimodal import JOINED, joined_body, joined_head, mllama_text, parts_known
from planner.architectures.perception import PERCEPTION
from planner.architectures.recurrent import RECURRENT
from planner.architectures.seq2seq import SEQ2SEQ
from planner.architectures.sparse import SPARSE
from planner.architectures.special import SPECIAL
from planner.architectures.tally import Tally
from planner.architectures.towers import dinov2, image_head, vit

Body = Callable[[Config], Tally]


@dataclass(frozen=True, slots=True)
class Family:
    """How one family is counted.

    Attributes:
        body: Counts everything below the head.
        head: Counts the head.
        usual: What a file that names no class is taken for.
        heads: Kinds of head that `head` counts exactly.
    """

    body: Body
    head: Head
    usual: Task = "language"
    heads: frozenset[str] = frozenset(("language", "none", "sequence", "tokens", "span"))


def _decoders() -> dict[str, Family]:
    """Every family that only decodes text, with the rule that says which head it has."""
    bodies: dict[str, Body] = {
        **dict.fromkeys(DENSE, dense),
        **SPARSE,
        **LATENT,
        **CLASSIC,
        **RECURRENT,
        **HYBRID,
        **MIXING,
        **SPECIAL,
        **CARRIED,
    }
    heads = {**SPECIAL_HEADS, "chatglm": always_language}
    return {name: Family(body, heads.get(name, decoder_head)) for name, body in bodies.items()}


_TEXT = _decoders()
_TEXT["mllama_text_model"] = Family(lambda config: mllama_text(config, plain_llama), decoder_head)
_BODIES = {name: family.body for name, family in _TEXT.items()}


def _joined(config: Config) -> Tally:
    return joined_body(config, _BODIES)


FAMILIES: Mapping[str, Family] = {
    **_TEXT,
    **{name: Family(_joined, joined_head, heads=frozenset(("language",))) for name in JOINED},
    **{name: Family(body, head, "masked", heads) for name, (body, head, heads) in ENCODERS.items()},
    **{
        name: Family(body, head, heads=frozenset(("language", "none", "sequence")))
        for name, (body, head) in SEQ2SEQ.items()
    },
    **{name: Family(*row) for name, row in PERCEPTION.items()},
    "vit": Family(vit, image_head, "image", frozenset(("image", "none"))),
    "dinov2": Family(dinov2, image_head, "image", frozenset(("image", "none"))),
}
"""Exact families by `model_type`."""

_PREFIXES = {re.sub(r"[-_]", "", name.removesuffix("_text")): name for name in FAMILIES}


def parts_are_known(values: Mapping[str, Any], family: str) -> bool:
    """Whether a model of several kinds of input consists of families that are counted exactly."""
    return family not in JOINED or parts_known(Config(values, family, Notes()), _TEXT)


def family_named(model_type: str, architecture: str) -> str:
    """The family that counts a model: by its type, or by its class; empty if neither is known."""
    if model_type in FAMILIES:
        return model_type
    return _PREFIXES.get(prefix_of(architecture), "") if architecture else ""
