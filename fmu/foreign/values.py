"""Set and get the variables of an instance, all of a type in one call, from and to one flat array of numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import FmuError
from fmu.foreign.spec import StartValue, VariableSpec
from fmu.foreign.versions.dialect import Dialect

Floats = NDArray[np.float64]

_C_TYPES: dict[str, Any] = {
    "Real": ctypes.c_double, "Integer": ctypes.c_int, "Float32": ctypes.c_float, "Float64": ctypes.c_double,
    "Int8": ctypes.c_int8, "UInt8": ctypes.c_uint8, "Int16": ctypes.c_int16, "UInt16": ctypes.c_uint16,
    "Int32": ctypes.c_int32, "UInt32": ctypes.c_uint32, "Int64": ctypes.c_int64, "UInt64": ctypes.c_uint64,
}  # fmt: skip
FLOATS = ("Real", "Float32", "Float64")


def _function_of(kind: str, calls: Dialect) -> str:
    """What FMI's get and set functions for a type are called after."""
    return calls.enumeration if kind == "Enumeration" else kind


def _c_type(name: str, calls: Dialect) -> Any:
    return calls.boolean if name == "Boolean" else _C_TYPES[name]


class Group:
    """Variables of one type."""

    def __init__(self, calls: Dialect, variables: Sequence[VariableSpec]) -> None:
        self.variables = variables
        kind = _function_of(variables[0].kind, calls)
        self.boolean, self.whole = kind == "Boolean", kind not in (*FLOATS, "Boolean")
        count = sum(variable.count for variable in variables)
        self.references = (ctypes.c_uint * len(variables))(*(variable.reference for variable in variables))
        self.buffer = (_c_type(kind, calls) * count)()
        self.numbers = np.ctypeslib.as_array(self.buffer)
        self.places = np.concatenate([np.arange(v.first, v.first + v.count) for v in variables])
        counts = [v.count for v in variables]
        self.scale, self.offset = (np.repeat(one, counts) for one in zip(*(v.line for v in variables), strict=True))
        self.converted = bool(np.any(self.scale != 1.0) or np.any(self.offset != 0.0))
        self.fmu = calls.fmu
        self.getter, self.setter = (getattr(calls.fmu, f"fmi{calls.version}{verb}{kind}") for verb in ("Get", "Set"))
        self.lengths = (len(variables), count) if calls.counts_values else (len(variables),)
        self.names = ", ".join(v.name for v in variables[:3]) + (", …" if len(variables) > 3 else "")

    def set(self, flat: Floats) -> None:
        """Give the FMU its values. Raises FmuError for a number that the type cannot hold."""
        values = flat[self.places]
        if self.converted:
            values = (values - self.offset) / self.scale
        if self.boolean:
            values = values > 0.5
        elif self.whole:
            values = self._whole(values)
        self.numbers[:] = values
        self._call(self.setter, self.buffer)

    def get(self, flat: Floats) -> None:
        """Put the FMU's values into `flat`."""
        self._call(self.getter, self.buffer)
        values = (self.numbers != 0 if self.boolean else self.numbers).astype(np.float64)
        flat[self.places] = values * self.scale + self.offset if self.converted else values

    def _call(self, function: Any, buffer: Any) -> None:
        first, *rest = self.lengths
        function(self.fmu.component, self.references, first, buffer, *rest)

    def _whole(self, values: Floats) -> Floats:
        limits = np.iinfo(self.numbers.dtype)
        rounded = np.rint(values)
        fits = (np.abs(rounded - values) <= 1e-9) & (values >= float(limits.min)) & (values <= float(limits.max))
        if not np.all(fits):
            at = int(np.argmin(fits))
            owner = next(v for v in self.variables if v.first <= self.places[at] < v.first + v.count)
            raise FmuError(f"its input {owner.name} takes whole numbers ({owner.kind}), not {values[at]:g}")
        return rounded


def groups(calls: Dialect, variables: Iterable[VariableSpec]) -> list[Group]:
    """The variables by type."""
    ordered = sorted(variables, key=lambda v: v.kind)
    return [Group(calls, list(same)) for _, same in groupby(ordered, key=lambda v: v.kind)]


def set_start_value(calls: Dialect, start: StartValue) -> None:
    """Set one variable, text or numbers."""
    name = _function_of(start.kind, calls)
    references = (ctypes.c_uint * 1)(start.reference)
    values = start.referenced
    count = len(values)
    lengths = (1, count) if calls.counts_values else (1,)
    buffer: Any
    if name == "String":
        buffer = (ctypes.c_char_p * count)(*(str(value).encode() for value in values))
    elif name == "Boolean":
        buffer = (calls.boolean * count)(*(bool(value) for value in values))
    else:
        number = float if name in FLOATS else int
        buffer = (_C_TYPES[name] * count)(*(number(value) for value in values))
    first, *rest = lengths
    getattr(calls.fmu, f"fmi{calls.version}Set{name}")(calls.fmu.component, references, first, buffer, *rest)
