"""resources/model.json: what the slave on the target has to know about a plan besides its bytes."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.errors import ExportError
from blocks.plan import Plan
from blocks.plan.flatten import Leaf
from blocks.plan.place import Place
from blocks.python_block import PythonBlock
from fmu.description.variables import LARGEST, Variable
from fmu.python.modules import Carried

FORMAT = 1
NOT_MEMORY = {"values", "sources", "name", "parent", "taken_from", "file_origin", "given_units"}
"""Attributes that every block has; all others are the user's."""


def model_table(
    plan: Plan, variables: list[Variable], references: Mapping[str, int], carried: Carried, home: str
) -> dict[str, Any]:
    """The table, to be written as JSON.

    `references` are the value references of FMI 3 by name, nothing for FMI 2; `home` is the package that the carried
    modules are in.
    """
    settings = plan.settings
    return {
        "format": FORMAT,
        "settings": {
            "start": settings.start, "step": settings.step, "solver": settings.solver,
            "relative_tolerance": settings.relative_tolerance, "absolute_tolerance": settings.absolute_tolerance,
        },
        "blocks": [_block(plan, number, leaf, carried, home) for number, leaf in enumerate(plan.flat.leaves)],
        "variables": [_variable(variable, references) for variable in variables],
    }  # fmt: skip


def _variable(variable: Variable, references: Mapping[str, int]) -> dict[str, Any]:
    limits = variable.limits
    low, high = (0.0, len(variable.choices) - 1.0) if variable.choices else (limits.low, limits.high)
    row: dict[str, Any] = {
        "name": variable.name, "place": variable.place.first, "shape": list(variable.place.shape),
        "type": variable.type, "causality": variable.causality, "variability": variable.variability,
    }  # fmt: skip
    if low > -LARGEST or high < LARGEST:
        row |= {"low": low, "high": high, "above": limits.above, "below": limits.below}
    if variable.name in references:
        row["reference"] = references[variable.name]
    return row


def _block(plan: Plan, number: int, leaf: Leaf, carried: Carried, home: str) -> dict[str, Any]:
    """Names for messages, and for a block written in Python all that its `Runner` is made of."""
    block = leaf.block
    row: dict[str, Any] = {
        "name": leaf.name,
        "faults": list(type(block).faults),
        "outputs": {name: _place(plan.outputs[f"{leaf.name}.{name}"]) for name in block.output_ports},
        "states": {
            name: [*_place(plan.states[f"{leaf.name}.{name}"]), state.discrete] for name, state in block.states.items()
        },
    }
    if isinstance(block, PythonBlock):
        kind = type(block)
        module = carried.classes[kind]
        _check_values(leaf.name, block)
        row["python"] = {
            "module": f"{home}.{module}" if module in carried.modules else module,
            "class": kind.__qualname__,
            "values": {name: _plain(value) for name, value in block.values.items()},
            "inputs": {
                name: [plan.reads[leaf.name, name], list(plan.flat.shape(leaf, port.signal))]
                for name, port in block.input_ports.items()
            },
            "written": [name for name in block.output_ports if not block.state_of(name)],
            "derivative_offset": plan.derivative_offset,
            "parameters": {name: _place(plan.parameters[f"{leaf.name}.{name}"]) for name in block.all_parameters()},
        }
    return row


def _place(place: Place) -> list[Any]:
    return [place.first, list(place.shape)]


def _plain(value: Any) -> Any:
    """A value of a parameter as JSON has it."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def _check_values(where: str, block: PythonBlock) -> None:
    """Raise ExportError unless a block can be rebuilt from its parameters: the FMU carries nothing else of it."""
    kind = type(block)
    try:
        again = kind(**block.values)
    except Exception as problem:  # whatever the user's code raises
        raise ExportError(
            f"block {where}: {kind.__name__} cannot be made anew from its parameters, which is what an FMU does: "
            f"{type(problem).__name__}: {problem}"
        ) from None
    fresh = vars(again)
    extra = sorted(
        name
        for name, value in vars(block).items()
        if name not in NOT_MEMORY and (name not in fresh or not _alike(value, fresh[name]))
    )
    if extra:
        many = len(extra) > 1
        raise ExportError(
            f"block {where}: the attribute{'s' * many} {', '.join(extra)} of this {kind.__name__} cannot travel in an "
            f"FMU; declare {'them' if many else 'it'} as Parameter or State, or make {'them' if many else 'it'} in "
            f"__init__ from parameters"
        )


def _alike(one: object, other: object) -> bool:
    """Whether two values are the same as far as can be seen."""
    try:
        return pickle.dumps(one) == pickle.dumps(other)
    except Exception:  # a lock, a function, an open file: nothing to compare
        return type(one) is type(other)
