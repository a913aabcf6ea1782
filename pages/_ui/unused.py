"""Inputs that the other inputs leave without effect: they are shown, but not as if they counted."""

from __future__ import annotations

from collections.abc import Mapping

from pages._ui import held, session
from planner.inputs import input_at

READS: Mapping[str, frozenset[str]] = {
    "tokens_per_s": frozenset({"tokens"}),
    "token_bytes": frozenset({"tokens"}),
    "flops_utilisation_fraction": frozenset({"tokens"}),
    "sample_bytes": frozenset({"samples", "batch"}),
    "samples_per_s": frozenset({"samples"}),
    "step_s": frozenset({"batch"}),
    "utilisation_fraction": frozenset({"samples", "batch", "preset"}),
    "preset_id": frozenset({"preset"}),
    "read_bytes_per_s": frozenset({"rate"}),
    "rate_scope": frozenset({"rate"}),
}
"""Ways of stating the read demand in which an input counts; those not named count in all."""
_WORDS = {
    "tokens": "tokens",
    "samples": "samples",
    "batch": "batch and step time",
    "preset": "a benchmark",
    "modality": "the guide's range",
    "rate": "a typed rate",
}
COMPONENTS = ("weight", "master", "first_moment", "second_moment", "extra")
"""Parts of a checkpoint whose bytes per parameter count only where their sum is not stated."""


def reason(path: str) -> str:
    """Why an input has no effect now; empty if it has one."""
    start, _, name = path.rpartition(".")
    if start.endswith(".ingest") and name in READS:
        basis = str(held.get(f"{start}.basis"))
        if basis == "tokens" and held.get("basis") == "guide":
            basis = "modality"
        return "" if basis in READS[name] else f"reads are taken from {_WORDS[basis]}"
    if start.endswith(".model") and name in {f"{part}_bytes" for part in COMPONENTS}:
        return _stated(f"{start}.bytes_per_parameter_bytes")
    if name == "interval_s" and start.endswith(".checkpoint"):
        return _stated(f"{start}.interval_step_count")
    return ""


def _stated(path: str) -> str:
    """What replaces an input, if it is stated by hand."""
    item = input_at(path)
    if item is None or held.get(session.auto_key(path)) or held.get(path) in ("", None):
        return ""
    return f"“{item.label}” is stated and replaces it"
