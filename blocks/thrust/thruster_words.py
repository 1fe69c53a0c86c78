"""Where thrusters are and which way they push, in words: `{at: [0.2, 0.1, 0], along: [0.7, -0.7, 0]}`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, near_misses, shown
from blocks.model.declare import Parameter, Value
from blocks.model.item_words import in_words

Floats = NDArray[np.float64]

WORDS = {
    "at": "where it is, from the body origin: ahead, starboard, down, m",
    "along": "the direction of its positive thrust, of any length",
}
_AT = Parameter(shape=(3,), unit="m", labels=("x", "y", "z"))
_ALONG = Parameter(shape=(3,), labels=("x", "y", "z"))
_FORM = "{at: [0.2, 0.1, 0], along: [0.7, -0.7, 0]}"
_DIRECTIONS = "ahead is [1, 0, 0], to starboard [0, 1, 0], down [0, 0, 1]"
_ELSEWHERE = {
    "at": ("position", "positions", "pos", "place", "location", "xyz"),
    "along": ("direction", "dir", "axis", "orientation", "force", "pointing"),
    "max": ("limit", "max_thrust", "thrust", "maximum", "forward"),
    "reverse": ("min", "min_thrust", "backward", "astern"),
}
"""What others call these words."""


class AllocationMatrixParameter(Parameter):
    """T, 6×n: the wrench of each thruster per newton of its thrust. It is given as numbers, or as thrusters in words:
    a list with `at` and `along` of each."""

    in_words = ("at", "along")

    def __init__(self, numbers: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.item_numbers = numbers or {}
        doc = (
            "T, wrench of each thruster per newton of its thrust: directions in rows 1 to 3, arms in m in rows 4 to 6; "
            "or where each is and which way it pushes, [{at: [x, y, z], along: [x, y, z]}, …]"
        )
        super().__init__(shape=(6, "n"), unit=None, frame="body", doc=doc)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked, as a matrix. Raises ParameterError."""
        if in_words(value):
            thrusters = _thrusters(value, where, self)
            value = wrench_columns([at for at, _ in thrusters], [along for _, along in thrusters])
        elif isinstance(value, Mapping) and set(value) & set(WORDS):
            raise ParameterError(f"{where} must be a list of thrusters, such as [{_FORM}], not a single one")
        return super().read(value, where)

    def form(self) -> str:
        """What a value looks like, in words."""
        return f"a list of thrusters, such as [{_FORM}], or an array of 6×n"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "Quantities | Sequence[Mapping[str, Quantities]]"


class PositionsParameter(Parameter):
    """r, n×3: where each thruster is; as numbers, or in words: a list with `at` of each."""

    in_words = ("at",)

    def __init__(self, numbers: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.item_numbers = numbers or {}
        doc = "where each thruster is, from the body origin: ahead, starboard, down; or [{at: [x, y, z]}, …]"
        super().__init__(shape=("n", 3), unit="m", frame="body", doc=doc)

    def read(self, value: Any, where: str) -> Value:
        """`value` checked and in m. Raises ParameterError."""
        if in_words(value):
            value = [at for at, _ in _thrusters(value, where, self)]
        return super().read(value, where)

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "Quantities | Sequence[Mapping[str, Quantities]]"


def wrench_columns(at: Iterable[Floats], along: Iterable[Floats]) -> Floats:
    """(d, r × d) of each thruster as a column, 6×n; r: `at`, m; d: `along`, of length 1."""
    columns = []
    for (x, y, z), (a, b, c) in zip(at, along, strict=True):
        columns.append([a, b, c, y * c - z * b, z * a - x * c, x * b - y * a])
    matrix: Floats = np.array(columns, dtype=np.float64).T + 0.0  # no -0.0, which nobody would write
    return matrix


def _place(where: str, i: int) -> str:
    """How a thruster is called in messages: "rov.thrusters[2]"."""
    return f"{where.rpartition('.')[0]}.thrusters[{i}]"


def _thrusters(value: Sequence[Any], where: str, parameter: Parameter) -> list[tuple[Floats, Floats]]:
    """Where each is, and its direction. Raises ParameterError, which knows which one it is about."""
    found = []
    for i, item in enumerate(value):
        try:
            found.append(_thruster(item, _place(where, i), parameter))
        except ParameterError as problem:
            problem.inside = (i, problem.wrong) if problem.code == "unknown-key" else (i,)
            raise
    return found


def _thruster(item: Any, where: str, parameter: Parameter) -> tuple[Floats, Floats]:
    """Where it is, and its direction, of length 1. Raises ParameterError."""
    words = parameter.in_words
    valid = (*words, *parameter.item_numbers)
    known = "; ".join(f"{word}: {WORDS[word]}" for word in words)
    if not isinstance(item, Mapping):
        raise ParameterError(f"{where} must be a thruster, such as {_FORM}, not {shown(item)}; {known}")
    for key in item:
        if key not in words:
            hint = "" if near_misses(str(key), valid) else _why_not(str(key), valid, words)
            raise ParameterError(
                f"{where} has an unknown key '{key}'", code="unknown-key", wrong=str(key), valid=valid, hint=hint
            )
    for word in words:
        if word not in item:
            raise ParameterError(f"{where}.{word} is missing: {WORDS[word]}, such as {_FORM}")
    at = np.asarray(_AT.read(item["at"], f"{where}.at"))
    if "along" not in words:
        return at, np.zeros(3)
    if isinstance(item["along"], str):
        raise ParameterError(f"{where}.along must be three numbers, {_DIRECTIONS}; not {shown(item['along'])}")
    along = np.asarray(_ALONG.read(item["along"], f"{where}.along"))
    along = along / (np.abs(along).max() or 1.0)  # its squares then neither vanish nor overflow
    length = math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2])
    if length == 0.0:
        raise ParameterError(
            f"{where}.along is the direction in which the thruster pushes and must not be zero: {_DIRECTIONS}"
        )
    return at, along / length


def _why_not(key: str, valid: tuple[str, ...], words: tuple[str, ...]) -> str:
    """What to do instead of a key that thrusters here do not have."""
    if key == "along":
        return "thrusters that turn have `angle_min` and `angle_max`, equal where one is fixed"
    for word, others in _ELSEWHERE.items():
        if key.lower() in others and word in valid:
            return f"here that is '{word}'" + (f", {WORDS[word]}" if word in words else "")
    has = " and ".join([", ".join(valid[:-1]), valid[-1]] if len(valid) > 1 else valid)
    return f"a thruster here has {has}; all else are parameters of their own, with a value for each thruster"
