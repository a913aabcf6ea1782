"""What is known of a model once its file has been read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.core.errors import PlannerError

Kind = Literal["exact", "stated", "estimate", "stored"]
"""How the total is known: counted by the family's own formula, stated by the file, counted by a
formula that had to assume something about the model's shape, or derived from stored bytes."""


class ArchitectureError(PlannerError):
    """A file that describes no model whose parameters can be counted, told in one line."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a model.

    Attributes:
        name: What it is, one of the names in `planner.architectures.tally`.
        parameters: Numbers that it holds.
        active_parameters: Those that take part in the computation of one token.
    """

    name: str
    parameters: int
    active_parameters: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Dimensions of the main (text) model, as far as the file states them; None where it does not.

    Attributes:
        layers_count: Transformer layers (of the encoder and the decoder together, if it has both).
        hidden_size: Width of the residual stream.
        heads_count: Query heads of one layer.
        kv_heads_count: Key and value heads of one layer.
        head_size: Width of one head.
        vocabulary_size: Rows of the token embedding.
        positions_count: Longest sequence that the file speaks of.
        experts_count: Routed experts of one layer.
        active_experts_count: Those that one token is sent to.
    """

    layers_count: int | None = None
    hidden_size: int | None = None
    heads_count: int | None = None
    kv_heads_count: int | None = None
    head_size: int | None = None
    vocabulary_size: int | None = None
    positions_count: int | None = None
    experts_count: int | None = None
    active_experts_count: int | None = None


@dataclass(frozen=True, slots=True)
class Architecture:
    """A model as the planner needs it: how many parameters, of what, and how well that is known.

    Total and active parameters follow one convention: unique trainable numbers of the main model.
    Persistent buffers, copies of tied tensors, scales of quantised weights and extra prediction
    layers are not in them; what a checkpoint stores of those stands in `beside`. Active is the
    total less the routed experts that a token is not sent to: embeddings, heads, shared experts
    and towers all count.

    Attributes:
        name: What the file calls the model, or its class.
        family: Family whose formula counted it; empty if none did.
        kind: How the total is known.
        total_parameters: Numbers in the model.
        active_parameters: Numbers that take part in the computation of one token.
        breakdown: Parts that sum to the total and to the active parameters.
        shape: Dimensions, where the file states them.
        beside: What files of such a model may store beyond the total.
        stored_dtype: Number format, where the file states one.
        stored_bytes: Size of the stored tensors, where the file states it.
        remarks: What was mended in the file, and where figures disagree.
        assumed: What the file does not say and was taken instead.
        source: What the figures were read from.
    """

    name: str
    family: str
    kind: Kind
    total_parameters: int
    active_parameters: int
    breakdown: tuple[Part, ...]
    shape: Shape = Shape()
    beside: tuple[Part, ...] = ()
    stored_dtype: str = ""
    stored_bytes: int | None = None
    remarks: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    source: str = ""

    @property
    def counted(self) -> bool:
        """Whether a formula counted it out of a configuration: the model as a whole, never a part of it."""
        return bool(self.family) or (self.kind in ("exact", "estimate") and self.stored_bytes is None)

    @property
    def dense(self) -> bool:
        """Whether every parameter takes part in the computation of every token."""
        return self.active_parameters == self.total_parameters
