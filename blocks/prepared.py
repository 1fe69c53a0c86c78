"""What is run: a diagram with sources for inputs that vary, its plan, and its inputs that are constant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from blocks.basic.scope import Scope
from blocks.block import Block
from blocks.diagram import Diagram
from blocks.input_series import attach_inputs
from blocks.plan import Plan, make_plan
from blocks.run.inputs import numbers


@dataclass(frozen=True)
class Prepared:
    """A plan, what it is a plan of, and the values of its inputs that are constant, by name."""

    component: Diagram | Block
    """With a source for each input that varies."""
    plan: Plan
    constants: Mapping[str, ArrayLike]
    how: Mapping[str, Any]
    """What `make_plan` was given."""

    def again(self, **how: Any) -> Plan:
        """Another plan of the same, `how` as `make_plan` has it."""
        return make_plan(self.component, **{**self.how, **how})


def prepare(
    component: Diagram | Block, inputs: Mapping[str, Any] | None = None, *, all_given: bool = True, **settings: Any
) -> Prepared:
    """The plan of a diagram with its inputs, constant or over time; `settings` are those of `make_plan`.

    all_given: inputs without default have to be there. Raises what `attach_inputs` and `make_plan` raise.
    """
    attached, constants = attach_inputs(component, inputs or {}, all_given=all_given)
    how = {**settings, "input_shapes": {name: numbers(name, value).shape for name, value in constants.items()}}
    return Prepared(attached, make_plan(attached, **how), constants, how)


def with_scopes(component: Diagram | Block, names: list[str] | None) -> list[str] | None:
    """What is recorded: the names that were given, and what scopes show; as it is where all or nothing is recorded."""
    if not names or not isinstance(component, Diagram):
        return names
    return [*names, *(f"{name}.y" for name, block in component.blocks().items() if isinstance(block, Scope))]
