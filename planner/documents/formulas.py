"""Formulas as plain text: what LaTeX prints in two dimensions, on one line that can be searched and read aloud."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|[^\\{}^_&\s]")
_SIGNS = {
    "alpha": "α", "beta": "β", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "ell": "ℓ",  # noqa: RUF001
    "cdot": "·", "times": "×", "ge": "≥", "le": "≤", "infty": "∞", "mid": "|", "sum": "Σ", "prod": "Π", "int": "∫",
    "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "max": "max", "min": "min", "ln": "ln", "log": "log",
    "cos": "cos", "exp": "exp", "approx": "≈", "to": "→", "in": "∈", "ne": "≠",
}  # fmt: skip
_NOTHING = {"left", "right", "bigl", "bigr", "Big", "big", "textstyle", "displaystyle", "!"}
_BLANKS = {",", ";", " ", "quad", "qquad", ":"}
_KEPT = {"text", "mathrm", "mathit", "operatorname", "dot", "bar", "hat"}
_WHOLE = re.compile(r"[\w*'·.√∞]+|[^\W\d_]\([^()]*\)|\([^()]*\)|⌈[^⌈⌉]*⌉|⌊[^⌊⌋]*⌋")
"""What needs no brackets above or below a fraction line."""


@functools.cache
def plain_formula(latex: str) -> str:
    """A printed formula as one line of text: fractions with a slash, roots and sums by their signs."""
    tokens = [" " if token.isspace() else token for token in _TOKEN.findall(latex)]
    words = _Reader(tokens).all()
    words = re.sub(r"\s+", " ", words).strip()
    return re.sub(r"(?<=[(⌈⌊\[]) | (?=[)⌉⌋\],])", "", words)


class _Reader:
    """Goes through the signs of a formula from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        """Begin at the first sign."""
        self.tokens, self.at = tokens, 0
        self.commands: dict[str, Callable[[], str]] = {
            "frac": self._fraction,
            "tfrac": self._fraction,
            "sqrt": lambda: f"√{_bracketed(self._part())}",
            "binom": lambda: f"binom({self._part()}, {self._part()})",
            "begin": self._cases,
            "end": lambda: self._part() and "",
        }

    def all(self, stop: str = "") -> str:
        """Everything up to the closing brace, or the end."""
        found: list[str] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token == stop:
                self.at += 1
                break
            found.append(self._next())
        return "".join(found)

    def _next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        if token == "{":
            return self.all("}")
        if token in ("^", "_"):
            return token + _index(self._part())
        if token == "&":
            return " if "
        return self._command(token[1:]) if token.startswith("\\") else token

    def _command(self, name: str) -> str:
        if name in self.commands:
            return self.commands[name]()
        if name in _NOTHING:
            return ""
        if name in _BLANKS:
            return " "
        if name in _KEPT:
            return self._part()
        if name == "\\":
            return "; "
        return _SIGNS.get(name, name)

    def _part(self) -> str:
        """The next group in braces, or the next sign."""
        while self.at < len(self.tokens) and self.tokens[self.at] == " ":
            self.at += 1
        return self._next().strip() if self.at < len(self.tokens) else ""

    def _fraction(self) -> str:
        return f" {_bracketed(self._part())} / {_bracketed(self._part())} "

    def _cases(self) -> str:
        """One value for each condition, parted by semicolons."""
        self._part()
        return ""


def _index(words: str) -> str:
    """An exponent or a subscript: in brackets where it is more than a word."""
    return words if re.fullmatch(r"[\w*'+∞-]+", words) else f"({words})"


def _bracketed(words: str) -> str:
    told = re.sub(r"\s+", " ", words).strip()
    return told if not told or _WHOLE.fullmatch(told) else f"({told})"
