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

Floats = NDArray[np.float64]

_C_TYPES: dict[str, Any] = {
    "Real": ctypes.c_double, "Integer": ctypes.c_int, "Float32": ctypes.c_float, "Float64": ctypes.c_double,
    "Int8": ctypes.c_int8, "UInt8": ctypes.c_uint8, "Int16": ctypes.c_int16, "UInt16": ctypes.c_uint16,
    "Int32": ctypes.c_int32, "UInt32": ctypes.c_uint32, "Int64": ctypes.c_int64, "UInt64": ctypes.c_uint64,
}  # fmt: skip
FLOATS = ("Real", "Float32", "Float64")


def fmi_function(kind: str, fmi: int) -> str:
    """What FMI's get and set functions for a type are called after."""
    return kind if kind != "Enumeration" else "Integer" if fmi == 2 else "Int64"


class Group:
    """Variables of one type."""

    def __init__(self, fmu: Any, fmi: int, variables: Sequence[VariableSpec]) -> None:
        self.variables = variables
        kind = fmi_function(variables[0].kind, fmi)
        self.boolean, self.whole = kind == "Boolean", kind not in (*FLOATS, "Boolean")
        c_type = (ctypes.c_int if fmi == 2 else ctypes.c_bool) if self.boolean else _C_TYPES[kind]
        count = sum(variable.count for variable in variables)
        self.references = (ctypes.c_uint * len(variables))(*(variable.reference for variable in variables))
        self.buffer = (c_type * count)()
        self.numbers = np.ctypeslib.as_array(self.buffer)
        self.places = np.concatenate([np.arange(v.first, v.first + v.count) for v in variables])
        self.scale = np.repeat([v.scale for v in variables], [v.count for v in variables])
        self.offset = np.repeat([v.offset for v in variables], [v.count for v in variables])
        self.converted = bool(np.any(self.scale != 1.0) or np.any(self.offset != 0.0))
        self.fmu = fmu
        self.getter, self.setter = (getattr(fmu, f"fmi{fmi}{verb}{kind}") for verb in ("Get", "Set"))
        self.lengths = (len(variables),) if fmi == 2 else (len(variables), count)
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
        values = self.numbers.astype(np.float64)
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


def groups(fmu: Any, fmi: int, variables: Iterable[VariableSpec]) -> list[Group]:
    """The variables by type."""
    ordered = sorted(variables, key=lambda v: v.kind)
    return [Group(fmu, fmi, list(same)) for _, same in groupby(ordered, key=lambda v: v.kind)]


def set_start_value(fmu: Any, fmi: int, start: StartValue) -> None:
    """Set one variable, text or numbers."""
    name = fmi_function(start.kind, fmi)
    references = (ctypes.c_uint * 1)(start.reference)
    count = len(start.values)
    lengths = (1,) if fmi == 2 else (1, count)
    buffer: Any
    if name == "String":
        buffer = (ctypes.c_char_p * count)(*(str(value).encode() for value in start.values))
    elif name == "Boolean":
        buffer = ((ctypes.c_int if fmi == 2 else ctypes.c_bool) * count)(*(bool(value) for value in start.values))
    else:
        number = float if name in FLOATS else int
        buffer = (_C_TYPES[name] * count)(*(number(value) for value in start.values))
    first, *rest = lengths
    getattr(fmu, f"fmi{fmi}Set{name}")(fmu.component, references, first, buffer, *rest)
