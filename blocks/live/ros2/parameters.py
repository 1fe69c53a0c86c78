"""Parameters of blocks as parameters of a ROS 2 node: their names, types, texts and ranges, and their values."""

from __future__ import annotations

import fnmatch
import math
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, ParameterType
from rclpy.parameter import Parameter as RosParameter

from blocks.errors import ParameterError
from blocks.model.declare import Parameter

if TYPE_CHECKING:
    from blocks.simulator import Simulator

LARGEST = 1000
"""Tables with more numbers than this are not shown: a service would answer with all of them."""


class BlockParameters:
    """The parameters of a simulator that match one of some patterns, "heading.*", by their dotted names.

    One number is a number, several are an array, row by row. A parameter that counts at the start of a run only keeps
    its new value until the next reset; one that decides sizes, ports or equations is read-only. Raises ParameterError
    for a pattern that matches nothing.
    """

    def __init__(self, simulator: Simulator, patterns: Iterable[str]) -> None:
        self.simulator = simulator
        self.declared: dict[str, Parameter] = {}
        self.read_only: set[str] = set()
        self.pending: dict[str, Any] = {}
        """Values for the next reset."""
        blocks = {leaf.name: leaf.block for leaf in simulator.plan.flat.leaves}
        places = {name: place for name, place in simulator.plan.parameters.items() if place.count <= LARGEST}
        for pattern in patterns:
            names = fnmatch.filter(places, pattern)
            if not names:
                raise ParameterError(
                    f"parameters: none is called '{pattern}'", code="unknown-parameter", wrong=pattern, valid=places
                )
            for name in names:
                owner, _, own = name.rpartition(".")
                self.declared[name] = blocks[owner].all_parameters()[own]
                if own in blocks[owner].structural_parameters():
                    self.read_only.add(name)

    def descriptor(self, name: str) -> ParameterDescriptor:
        """What ROS says of a parameter: text, unit, limits, and the range where there is one for sliders."""
        declared = self.declared[name]
        made = ParameterDescriptor(name=name, type=self._type(name), read_only=name in self.read_only)
        made.description = _text(declared)
        limits = [declared.range_text()] if declared.range_text() else []
        if declared.choices:
            limits.append("one of " + ", ".join(declared.choices))
        if declared.labels and len(declared.labels) > 1:
            limits.append("elements: " + ", ".join(declared.labels))
        elif len(self._shape(name)) > 1:
            limits.append("×".join(map(str, self._shape(name))) + ", row by row")
        if declared.fixed:
            limits.append(f"{declared.fixed}: a new value holds from the next reset on")
        made.additional_constraints = "; ".join(limits)
        least = max((x for x in (declared.at_least, declared.above) if x is not None), default=None)
        most = min((x for x in (declared.at_most, declared.below) if x is not None), default=None)
        if made.type == ParameterType.PARAMETER_INTEGER and (least is not None or most is not None):
            edges = (_whole(least, -(2**63)), _whole(most, 2**63 - 1))
            made.integer_range = [IntegerRange(from_value=edges[0], to_value=edges[1], step=0)]
        if made.type == ParameterType.PARAMETER_DOUBLE and (least is not None or most is not None):
            made.floating_point_range = [
                FloatingPointRange(
                    from_value=-sys.float_info.max if least is None else least,
                    to_value=sys.float_info.max if most is None else most,
                    step=0.0,
                )
            ]
        return made

    def value(self, name: str) -> Any:
        """The present value, or that of the next reset, as ROS has it."""
        declared, place = self.declared[name], self.simulator.plan.parameters[name]
        numbers = self.simulator.parameters[name]
        if name in self.pending:
            numbers = declared.encode(declared.read(self.pending[name], name), place.shape)
        flat = np.reshape(numbers, -1)
        if declared.choices:
            return declared.choices[int(flat[0])]
        if declared.switch:
            return bool(flat[0])
        if flat.size > 1:
            return flat.tolist()
        return int(flat[0]) if declared.integer else float(flat[0])

    def ros(self, name: str) -> RosParameter[Any]:
        """The parameter with its present value, as ROS has it."""
        return RosParameter(name, RosParameter.Type(self._type(name)), self.value(name))

    def wanted(self, parameter: RosParameter[Any]) -> Any:
        """The value that ROS wants, as Keelblocks takes it: text may have a unit, arrays are flat, row by row."""
        name, value = parameter.name, parameter.value
        if value is None:
            raise ParameterError(f"{name} cannot be taken away")
        if isinstance(value, (str, bool)):
            return value
        if isinstance(value, (int, float)):
            return value
        shape = self._shape(name)
        array = np.asarray(value)
        if len(shape) > 1 and array.size == math.prod(shape):
            array = array.reshape(shape)
        return array.astype(np.float64) if array.dtype.kind in "iuf" else array.tolist()

    def set(self, values: Mapping[str, Any]) -> str:
        """Set all of them or none, and say what becomes of them; for the thread that runs the simulation.

        Raises ParameterError or SimulationError, and all is as it was.
        """
        before = {name: np.array(self.simulator.parameters[name]) for name in values}
        pending, done = dict(self.pending), []
        try:
            for name, value in values.items():
                if name in self.read_only:
                    raise ParameterError(
                        f"{name} decides sizes, ports or equations and cannot change in a plan: set it in the scenario"
                    )
                if self.declared[name].fixed and self.simulator.status != "ready":
                    self.declared[name].read(value, name)
                    self.pending[name] = value
                else:
                    done.append(name)
                    self.simulator[name] = value
        except Exception:
            self.pending = pending
            for name in reversed(done[:-1]):
                self.simulator[name] = self._as_given(name, before[name])
            raise
        later = [name for name in values if name in self.pending]
        return f"{', '.join(later)}: holds from the next reset on" if later else ""

    def _as_given(self, name: str, numbers: Any) -> Any:
        declared = self.declared[name]
        if declared.choices:
            return declared.choices[int(numbers.reshape(-1)[0])]
        return bool(numbers.reshape(-1)[0]) if declared.switch else numbers

    def _shape(self, name: str) -> tuple[int, ...]:
        return self.simulator.plan.parameters[name].shape

    def _type(self, name: str) -> int:
        declared = self.declared[name]
        if declared.choices:
            return int(ParameterType.PARAMETER_STRING)
        if declared.switch:
            return int(ParameterType.PARAMETER_BOOL)
        if self.simulator.plan.parameters[name].count > 1:
            return int(ParameterType.PARAMETER_DOUBLE_ARRAY)
        return int(ParameterType.PARAMETER_INTEGER if declared.integer else ParameterType.PARAMETER_DOUBLE)


def _text(declared: Parameter) -> str:
    units = declared.unit if isinstance(declared.unit, tuple) else (declared.unit,)
    unit = ", ".join(dict.fromkeys(one for one in units if one and one != "1"))
    return f"{declared.doc}, {unit}" if unit and declared.doc else declared.doc or unit


def _whole(limit: float | None, otherwise: int) -> int:
    return otherwise if limit is None else int(min(max(limit, -(2.0**63)), 2.0**63 - 1024))
