"""A typeset formula as LaTeX, for documentation, notebooks and the browser."""

from __future__ import annotations

import re

from blocks.formula.elements import (
    Cases,
    Element,
    Fence,
    Fraction,
    Letter,
    Matrix,
    Numeral,
    Raised,
    Root,
    Row,
    Sign,
    Word,
)
from blocks.formula.letters import GREEK, split
from blocks.formula.tree import Equations
from blocks.formula.typeset import equations_of

_SIGNS = {
    "−": "-", "·": r"\,", "×": r"\times", "⊙": r"\odot", "≤": r"\le", "≥": r"\ge", "≠": r"\ne",
    "or": r"\text{ or }", "and": r"\text{ and }", "mod": r"\bmod",
}  # fmt: skip
_FENCES = {
    "()": ("(", ")"), "[]": ("[", "]"), "||": ("|", "|"), "‖‖": (r"\|", r"\|"), "⌊⌋": (r"\lfloor", r"\rfloor"),
    "⌈⌉": (r"\lceil", r"\rceil"),
}  # fmt: skip
_FUNCTIONS = {
    **{name: rf"\{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "ln", "min", "max")},
    "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "log10": r"\log_{10}",
}  # fmt: skip
_LATIN = {"Alpha": "A", "Beta": "B", "Epsilon": "E", "Zeta": "Z", "Eta": "H", "Iota": "I", "Kappa": "K", "Mu": "M"} | {
    "Nu": "N", "omicron": "o", "Omicron": "O", "Rho": "P", "Tau": "T", "Chi": "X",
}  # fmt: skip
"""Greek letters that LaTeX writes as Latin ones."""


def latex(equations: Equations) -> str:
    """All equations, one below the other."""
    lines = [rf"{written(left)} &= {written(right)}" for _, _, left, right in equations_of(equations)]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def written(element: Element) -> str:
    """A piece of a formula."""
    if isinstance(element, Row):
        return _row(element)
    if isinstance(element, Word):
        if element.text.startswith("["):
            return element.text
        if len(element.text.strip()) == 1 and element.text.strip().isalpha():
            return rf"\mathrm{{{element.text.strip()}}}"
        return _FUNCTIONS.get(element.text, rf"\operatorname{{{element.text.strip()}}}")
    if isinstance(element, Letter):
        return _letter(element)
    if isinstance(element, Numeral):
        mantissa, _, power = element.text.lower().partition("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa
    if isinstance(element, Sign):
        return _SIGNS.get(element.text, element.text)
    if isinstance(element, Fraction):
        return rf"\frac{{{written(element.over)}}}{{{written(element.under)}}}"
    if isinstance(element, Raised):
        power = r"\mathsf{T}" if element.power == Word("T") else written(element.power)
        return f"{{{written(element.base)}}}^{{{power}}}"
    if isinstance(element, Root):
        degree = f"[{element.degree}]" if element.degree else ""
        return rf"\sqrt{degree}{{{written(element.inner)}}}"
    if isinstance(element, Fence):
        left, right = _FENCES[element.kind]
        return rf"\left{left} {written(element.inner)} \right{right}"
    if isinstance(element, Matrix):
        rows = r" \\ ".join(" & ".join(map(written, row)) for row in element.rows)
        return rf"\begin{{bmatrix}} {rows} \end{{bmatrix}}"
    assert isinstance(element, Cases)
    rows = r" \\ ".join(
        rf"{written(value)} & " + (r"\text{otherwise}" if condition is None else rf"\text{{if }} {written(condition)}")
        for value, condition in element.rows
    )
    return rf"\begin{{cases}} {rows} \end{{cases}}"


def _row(row: Row) -> str:
    items: list[str] = []
    for before, item in zip((None, *row.items), row.items, strict=False):
        text = written(item)
        if before == Sign("·", spaced=False) and re.match(r"[-\d]|\\(frac|begin)", text):
            items[-1] = r"\cdot"
        items.append(text)
    return " ".join(items)


def _letter(letter: Letter) -> str:
    base, below = split(letter.name)
    name = _name(base)
    parts = [part for part in (below, letter.index) if part]
    found = rf"\dot{{{name}}}" if letter.dotted else name
    return found + (f"_{{{', '.join(_name(part) for part in parts)}}}" if parts else "")


def _name(name: str) -> str:
    if name in GREEK:
        return _LATIN.get(name, rf"\{name}")
    if len(name) == 1 or re.fullmatch(r"[\d,:]+", name):
        return name
    escaped = name.replace("_", r"\_")
    return rf"\mathrm{{{escaped}}}"
