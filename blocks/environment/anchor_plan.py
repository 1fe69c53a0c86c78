"""The lines of a mooring in words: `{anchor: [120, 90, 50], fairlead: [20, 5, 0], length: 160 m, weight: 700 N/m}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.errors import ParameterError, near_misses, shown
from blocks.model.declare import Parameter, Value
from blocks.model.item_words import in_words

WORDS = {
    "anchor": "where it is held: north, east, down, m",
    "fairlead": "where it leaves the hull, from the body origin: ahead, starboard, down, m",
}
LINE_NUMBERS = {
    "length": ("length",),
    "weight": ("weight",),
    "mass": ("mass_per_length",),
    "diameter": ("diameter",),
    "stiffness": ("axial_stiffness",),
    "friction": ("seabed_friction",),
}
"""What a line says besides, and the parameters that these numbers are."""

_ENDS = {
    "anchor": Parameter(shape=(3,), unit="m", labels=("north", "east", "down")),
    "fairlead": Parameter(shape=(3,), unit="m", labels=("x", "y", "z")),
}
_FORM = "{anchor: [120, 90, 50], fairlead: [20, 5, 0], length: 160 m}"
_ELSEWHERE = {
    "anchor": ("at", "to", "anchor_position", "anchor_point", "end_a", "fixed"),
    "fairlead": ("from", "position", "attachment", "vessel", "body", "end_b"),
    "length": ("unstretched_length", "unstrlen", "l"),
    "weight": ("w", "submerged_weight", "weight_per_length", "massdeninwater"),
    "mass": ("mass_per_length", "massden", "linear_density"),
    "diameter": ("d", "diam"),
    "stiffness": ("ea", "axial_stiffness"),
    "friction": ("cb", "mu", "seabed_friction"),
}
"""What others call these words."""


class LinesParameter(Parameter):
    """Where the ends of each line are, n×6: anchor north, east, down, then fairlead ahead, starboard, down. As numbers,
    or in words: a list with `anchor` and `fairlead` of each."""

    in_words = ("anchor", "fairlead")
    item_numbers = LINE_NUMBERS

    def __init__(self) -> None:
        doc = (
            "ends of each line: the anchor north, east, down, and the fairlead from the body origin ahead, starboard, "
            "down; or [{anchor: [x, y, z], fairlead: [x, y, z], length: …}, …]"
        )
        super().__init__(shape=("n", 6), unit="m", doc=doc)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked and in m. Raises ParameterError."""
        if in_words(value):
            return super().read([self._line(item, where, i) for i, item in enumerate(value)], where)
        if isinstance(value, Mapping):
            raise ParameterError(f"{where} must be a list of lines, such as [{_FORM}], not a single one")
        return super().read(value, where)

    def form(self) -> str:
        """What a value looks like, in words."""
        return f"a list of lines, such as [{_FORM}], or an array of n×6"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "Quantities | Sequence[Mapping[str, Quantities]]"

    def _line(self, item: Any, where: str, number: int) -> list[float]:
        """The ends of one line. Raises ParameterError, which knows which one it is about."""
        called = f"{where}[{number}]"
        try:
            return _ends(item, called)
        except ParameterError as problem:
            problem.inside = (number, problem.wrong) if problem.code == "unknown-key" else (number,)
            raise


def _ends(item: Any, called: str) -> list[float]:
    valid = (*WORDS, *LINE_NUMBERS)
    if not isinstance(item, Mapping):
        known = "; ".join(f"{word}: {meaning}" for word, meaning in WORDS.items())
        raise ParameterError(f"{called} must be a line, such as {_FORM}, not {shown(item)}; {known}")
    for key in item:
        if key not in WORDS:
            hint = "" if near_misses(str(key), valid) else _why_not(str(key))
            raise ParameterError(
                f"{called} has an unknown key '{key}'", code="unknown-key", wrong=str(key), valid=valid, hint=hint
            )
    found: list[float] = []
    for word, meaning in WORDS.items():
        if word not in item:
            raise ParameterError(f"{called}.{word} is missing: {meaning}, such as {_FORM}")
        found += [float(x) for x in _ENDS[word].read(item[word], f"{called}.{word}")]  # type: ignore[union-attr]
    return found


def _why_not(key: str) -> str:
    """What to do instead of a key that lines do not have."""
    for word, others in _ELSEWHERE.items():
        if key.lower() in others:
            return f"here that is '{word}'"
    return f"a line has {', '.join((*WORDS, *LINE_NUMBERS))}; all else are parameters of the block"
