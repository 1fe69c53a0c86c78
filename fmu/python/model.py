"""The model of an FMU as the slave finds it among the resources: plan, blocks written in Python, variables."""

from __future__ import annotations

import importlib
import json
import struct
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.model.block import REGISTERED
from blocks.python_block import PythonBlock, Runner
from cython_kernels import engine as native
from cython_kernels.core.misuse import explain_misuse

FORMAT = 1
REAL, INTEGER, BOOLEAN, ENUMERATION = 1, 2, 4, 8
INPUT, TUNABLE, FIXED, LIMITED = 16, 32, 64, 128
_TYPES = {"Real": REAL, "Integer": INTEGER, "Boolean": BOOLEAN, "Enumeration": INTEGER | ENUMERATION}
_TOLERANCES = struct.Struct("<2d")  # where they stand in the header of a stored plan: before its last number
_CHECKSUM = struct.Struct("<Q")


class ModelError(Exception):
    """The resources of an FMU cannot be used on this machine."""


@dataclass(frozen=True)
class Limits:
    """The range of a parameter; `above` and `below` exclude the limit itself."""

    low: float
    high: float
    above: bool
    below: bool

    def allow(self, value: float) -> bool:
        """True if a value is within."""
        over = value > self.low if self.above else value >= self.low
        return over and (value < self.high if self.below else value <= self.high)

    def __str__(self) -> str:
        parts = []
        if self.low > -1.7e308:
            parts.append(f"{'>' if self.above else '>='} {self.low:.9g}")
        if self.high < 1.7e308:
            parts.append(f"{'<' if self.below else '<='} {self.high:.9g}")
        return " and ".join(parts)


@dataclass
class Model:
    """What the resources hold. Nothing of it changes while instances run."""

    stored: bytes
    table: dict[str, Any]
    kinds: dict[int, int] = field(default_factory=dict)
    """What may be done with the value at each place that is a variable, by its place: REAL, …, FIXED."""
    limits: dict[int, Limits] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    @staticmethod
    def load(resources: str) -> Model:
        """Read the resources. Raises ModelError if a file is missing or damaged."""
        try:
            stored = Path(resources, "plan.bin").read_bytes()
            table = json.loads(Path(resources, "model.json").read_bytes())
        except OSError as problem:
            raise ModelError(f"cannot read '{problem.filename}': {problem.strerror}") from None
        except ValueError:
            raise ModelError(f"cannot use '{Path(resources, 'model.json')}': the file is damaged") from None
        if table.get("format") != FORMAT:
            raise ModelError(f"this FMU was written by another version of Keelblocks: {table.get('keelblocks', '')}")
        model = Model(stored, table)
        model._list_variables()
        return model

    def _list_variables(self) -> None:
        for row in self.table["variables"]:
            if row["causality"] == "independent":
                continue
            kind = _TYPES[row["type"]]
            if row["causality"] == "input":
                kind |= INPUT
            elif row["causality"] == "parameter":
                kind |= TUNABLE if row["variability"] == "tunable" else FIXED
            limits = Limits(row["low"], row["high"], row["above"], row["below"]) if "low" in row else None
            for index in range(prod(row["shape"])):
                place = row["place"] + index
                self.kinds[place] = self.kinds.get(place, 0) | kind
                self.names.setdefault(place, row["name"] + element(row["shape"], index))
                if limits is not None and row["causality"] == "parameter":
                    self.kinds[place] |= LIMITED
                    self.limits[place] = limits

    def engine(self, relative: float, absolute: float) -> tuple[native.Engine, list[PythonPart]]:
        """A fresh engine with these tolerances, with fresh blocks written in Python.

        Raises ModelError if the plan cannot run here or a block cannot be made.
        """
        try:
            engine = native.Engine(self._with_tolerances(relative, absolute))
        except native.EngineError as problem:
            raise ModelError(f"cannot use plan.bin: {problem}; export the FMU with the Keelblocks of here") from None
        parts = []
        for number, row in enumerate(self.table["blocks"]):
            if "python" in row:
                part = PythonPart(row, _make(row), engine)
                engine.set_context(number, part.runner)
                parts.append(part)
        return engine, parts

    def _with_tolerances(self, relative: float, absolute: float) -> bytes:
        settings = self.table["settings"]
        if (relative, absolute) == (settings["relative_tolerance"], settings["absolute_tolerance"]):
            return self.stored
        data = bytearray(self.stored)
        _TOLERANCES.pack_into(data, native.HEADER_SIZE - 24, relative, absolute)
        _CHECKSUM.pack_into(data, 16, native.fnv1a_hash(bytes(data[native.CHECKED_FROM_BYTE :])))
        return bytes(data)

    def explain(self, engine: native.Engine, parts: list[PythonPart], status: int) -> str:
        """Why the engine stopped, in words: the block, the value, the time."""
        number, part, number_in_block, fault, t = engine.failure
        row = self.table["blocks"][number] if number >= 0 else {"name": "the model", "faults": [], "outputs": {}}
        where, kind = row["name"], native.STATUSES[status]
        if kind == "fault":
            return f"{where} stopped the run at t = {t:.9g} s: {_fault(row, parts, fault)}"
        value = _value(row, part, number_in_block, fault)
        if kind == "not finite":
            return f"{where}: {value} is not a finite number at t = {t:.9g} s"
        if kind == "step too small":
            return (
                f"the adaptive solver cannot go on at t = {t:.9g} s: {where}: {value} changes too fast to be followed"
            )
        if kind == "unsettled":
            return f"modes keep changing at t = {t:.9g} s: an update of a block undoes itself again and again"
        if kind == "too many events":
            return f"events follow each other without time going on at t = {t:.9g} s"
        return f"the engine stopped at t = {t:.9g} s: {kind}"


class PythonPart:
    """One block written in Python, bound to the values of an engine."""

    def __init__(self, row: dict[str, Any], block: PythonBlock, engine: native.Engine) -> None:
        self.name: str = row["name"]
        self.block = block
        own = row["python"]
        states = {name: _view(engine, first, shape) for name, (first, shape, _) in row["states"].items()}
        self.runner: Runner = block.runner(
            self.name,
            {
                "inputs": {name: _view(engine, first, shape) for name, (first, shape) in own["inputs"].items()},
                "states": states,
                "derivatives": {
                    name: _view(engine, first + own["derivative_offset"], shape)
                    for name, (first, shape, discrete) in row["states"].items()
                    if not discrete
                },
            },
            {name: _view(engine, *row["outputs"][name]) for name in own["written"]},
        )
        self.parameters = {name: _view(engine, first, shape) for name, (first, shape) in own["parameters"].items()}
        self.known = {name: view.copy() for name, view in self.parameters.items()}

    def take_parameters(self) -> None:
        """Give the block the parameters that stand among the values. Raises ParameterError if it refuses them."""
        changed = {
            name: self._decoded(name, view)
            for name, view in self.parameters.items()
            if not np.array_equal(view, self.known[name])
        }
        if changed:
            self.block.set(**changed)
            self.known |= {name: self.parameters[name].copy() for name in changed}

    def _decoded(self, name: str, view: NDArray[np.float64]) -> Any:
        parameter = self.block.all_parameters()[name]
        if parameter.choices:
            return parameter.choices[int(view.item())]
        return bool(view.item()) if parameter.switch else view.copy() if view.ndim else view.item()


def _view(engine: native.Engine, first: int, shape: list[int]) -> NDArray[np.float64]:
    view: NDArray[np.float64] = engine.values[first : first + prod(shape)].reshape(shape)
    return view


def _make(row: dict[str, Any]) -> PythonBlock:
    """The block of a row. Raises ModelError if its module cannot be imported or it cannot be made."""
    own = row["python"]
    listed = dict(REGISTERED)
    try:
        kind: Any = importlib.import_module(own["module"])
        for part in own["class"].split("."):
            kind = getattr(kind, part)
        block: PythonBlock = kind(**own["values"])
    except Exception as problem:  # whatever the user's code raises
        raise ModelError(f"block {row['name']} cannot be made here: {type(problem).__name__}: {problem}") from None
    finally:  # classes of an FMU are no blocks of this process
        REGISTERED.clear()
        REGISTERED.update(listed)
    return block


def _fault(row: dict[str, Any], parts: list[PythonPart], fault: int) -> str:
    if "python" in row:
        error = next(part.runner.error for part in parts if part.name == row["name"])
        return error or "its Python code failed"
    if fault < 0:
        return explain_misuse(fault)
    texts: list[str] = row["faults"]
    return texts[fault - 1] if fault <= len(texts) else f"fault number {fault}"


def _value(row: dict[str, Any], part: str, index: int, port: int) -> str:
    """The name of an output or state with its element: "output eta[6]"."""
    if part == "output":
        name, (_, shape) = list(row["outputs"].items())[port]
        return f"output {name}{element(shape, index)}"
    for name, (_, shape, discrete) in row.get("states", {}).items():
        if not discrete:
            if index < prod(shape):
                text = name + element(shape, index)
                return f"the derivative of {text}" if part == "derivative" else f"state {text}"
            index -= prod(shape)
    return "a value"


def element(shape: list[int], index: int) -> str:
    """How an element is written after the name of its variable, counted from 1: "[2]", "[1,3]"."""
    if not shape:
        return ""
    return f"[{','.join(str(i + 1) for i in np.unravel_index(index, shape))}]"
