"""Counting: the parts of a model, and the numbers that its building blocks hold.

Counts are exact: plain integers, however large.
"""

from __future__ import annotations

from planner.architectures.architecture import Part

EMBEDDING = "Token embedding"
PATCHES = "Patch embedding"
POSITIONS = "Position embedding"
ATTENTION = "Attention"
MIXER = "Recurrent mixer"
MLP = "Dense MLP"
ROUTED = "Routed experts"
SHARED = "Shared experts"
ROUTER = "Router"
NORMS = "Norms"
HEAD = "Output head"
VISION = "Vision tower"
AUDIO = "Audio tower"
PROJECTOR = "Projector"
CONVOLUTION = "Convolutions"
OTHER = "Other"
PREDICTION = "Extra prediction layers"
BUFFERS = "Persistent buffers"
COPIES = "Copies of tied tensors"
SCALES = "Scales of quantised weights"

ORDER = (
    EMBEDDING, PATCHES, POSITIONS, ATTENTION, MIXER, MLP, ROUTED, SHARED, ROUTER, NORMS, CONVOLUTION,
    VISION, AUDIO, PROJECTOR, OTHER, HEAD,
)  # fmt: skip
"""Parts in the order in which they are shown."""


class Tally:
    """Parts of a model while they are counted."""

    def __init__(self) -> None:
        """Nothing counted yet."""
        self._parts: dict[str, tuple[int, int]] = {}
        self._beside: dict[str, int] = {}

    def add(self, name: str, numbers: int, *, active: int | None = None) -> None:
        """Count `numbers` to a part; all of them are active unless told otherwise."""
        total, busy = self._parts.get(name, (0, 0))
        self._parts[name] = (total + numbers, busy + (numbers if active is None else active))

    def experts(self, numbers: int, *, count: int, chosen: int, layers: int) -> None:
        """Count the routed experts of `layers` layers, `numbers` in each of `count` experts."""
        self.add(ROUTED, layers * count * numbers, active=layers * min(count, chosen) * numbers)

    def beside(self, name: str, numbers: int) -> None:
        """Note what files of such a model may store beyond the total."""
        if numbers:
            self._beside[name] = self._beside.get(name, 0) + numbers

    def take(self, other: Tally, *, into: str = "") -> None:
        """Count another tally's parts, each under its own name or all of them to the part `into`."""
        for part in other.parts():
            self.add(into or part.name, part.parameters, active=part.active_parameters)
        for part in other.extras():
            self.beside(part.name, part.parameters)

    def parts(self) -> tuple[Part, ...]:
        """Parts that hold something, in the order in which they are shown."""
        known = [name for name in ORDER if name in self._parts]
        return tuple(Part(name, *self._parts[name]) for name in known if self._parts[name][0])

    def extras(self) -> tuple[Part, ...]:
        """What files of such a model may store beyond the total."""
        return tuple(Part(name, numbers, 0) for name, numbers in self._beside.items())

    @property
    def total(self) -> int:
        """All numbers counted."""
        return sum(total for total, _ in self._parts.values())

    @property
    def active(self) -> int:
        """Those that take part in the computation of one token."""
        return sum(active for _, active in self._parts.values())


def linear(inputs: int, outputs: int, *, bias: bool = False) -> int:
    """Numbers of one linear map."""
    return inputs * outputs + (outputs if bias else 0)


def layer_norm(width: int, *, bias: bool = True) -> int:
    """Numbers of one layer norm; without bias, those of an RMS norm."""
    return 2 * width if bias else width


def gated_mlp(hidden: int, inner: int, *, bias: bool = False) -> int:
    """Gate, up and down projection."""
    return 2 * linear(hidden, inner, bias=bias) + linear(inner, hidden, bias=bias)


def plain_mlp(hidden: int, inner: int, *, bias: bool = False) -> int:
    """Up and down projection."""
    return linear(hidden, inner, bias=bias) + linear(inner, hidden, bias=bias)


def conv1d(channels: int, width: int, *, bias: bool) -> int:
    """A convolution over time in which each channel has its own filter."""
    return channels * width + (channels if bias else 0)
