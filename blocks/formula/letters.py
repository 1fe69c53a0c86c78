"""How names are drawn: Greek letters, and what stands below or above the line."""

from __future__ import annotations

import re
import unicodedata

_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
_NAMED = {"lambda": "lamda"}
"""As Unicode spells them."""


def _greek() -> dict[str, str]:
    found = {}
    for name in _GREEK:
        for word, case in ((name, "SMALL"), (name.capitalize(), "CAPITAL")):
            found[word] = unicodedata.lookup(f"GREEK {case} LETTER {_NAMED.get(name, name).upper()}")
    return found


GREEK = _greek()
"""alpha is α, and Alpha is Α."""

_BELOW = dict(zip("0123456789+-aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True))
_ABOVE = dict(zip("0123456789+-nT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", strict=True))


def split(name: str) -> tuple[str, str]:
    """A name and what is written below it: ("nu", "u") of nu_u, ("x", "1") of x1."""
    base, _, below = name.partition("_")
    if not base:
        return name, ""
    if not below and (found := re.fullmatch(r"([A-Za-z]+)(\d+)", base)) and (len(found[1]) == 1 or found[1] in GREEK):
        return found[1], found[2]
    return base, below


def drawn(name: str) -> str:
    """A word, or its Greek letter."""
    return GREEK.get(name, name)


def below(text: str) -> str | None:
    """A text below the line; None if Unicode has no such letters."""
    drawn_text = ",".join(drawn(part) for part in text.split("_"))
    return None if any(char not in _BELOW for char in drawn_text) else "".join(_BELOW[char] for char in drawn_text)


def above(text: str) -> str | None:
    """A text above the line; None if Unicode has no such letters."""
    return None if any(char not in _ABOVE for char in text) else "".join(_ABOVE[char] for char in text)


def dotted(letter: str) -> str:
    """A letter with a dot above it."""
    return unicodedata.normalize("NFC", f"{letter}\u0307")


def spelled(name: str) -> str:
    """A name in one line: τₓ of tau_x, speedₘₐₓ of speed_max, τ_wind of tau_wind."""
    base, under = split(name)
    if not under:
        return drawn(base)
    low = below(under)
    return drawn(base) + (low if low is not None else f"_{'_'.join(map(drawn, under.split('_')))}")
