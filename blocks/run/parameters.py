"""Parameters that are set while a plan runs: checked as when their blocks were made, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.errors import ParameterError, SimulationError, shown
from blocks.model.python_block import PythonBlock
from blocks.plan import Plan
from blocks.plan.variation import Variation
from blocks.run.named import element_of
from cython_kernels import engine as native

_KEPT = 32
"""How many sets of names, which were set together, are kept ready."""


class TunableParameters:
    """The parameters of a plan as one engine has them."""

    def __init__(self, plan: Plan) -> None:
        blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
        self.plan = plan
        self.structural = {f"{name}.{p}" for name, block in blocks.items() for p in block.structural_parameters()}
        self.declared = {
            f"{name}.{p}": declared for name, block in blocks.items() for p, declared in block.all_parameters().items()
        }
        self.held = {name: block.parameters_held for name, block in blocks.items() if isinstance(block, PythonBlock)}
        self._variations: dict[tuple[str, ...], Variation] = {}
        self.changed: dict[str, Any] = {}
        """What was set, by name."""

    def engine(self) -> native.Engine:
        """An engine whose blocks written in Python have their parameters from here."""
        return self.plan.engine({number: block.copy() for number, block in self.plan.python_blocks.items()})

    def set(self, engine: native.Engine, values: Mapping[str, Any], *, started: bool) -> None:
        """Set parameters, all of them or none. Raises ParameterError or SimulationError.

        started: the run has begun, so that those which count at its start alone cannot be set.
        """
        if not isinstance(values, Mapping):
            raise SimulationError(
                f"parameters are a mapping of names to values, {{'heading.k_p': 3}}, not {shown(values)}"
            )
        whole = {}
        for name, value in values.items():
            bare = str(name).partition("[")[0]
            self._check(bare, started)
            whole[bare] = self._with_element(engine, name, value) if "[" in name else value
        owners = {_owner(name) for name in whole}
        together = {n: v for n, v in self.changed.items() if _owner(n) in owners} | whole
        variation = self._variation(tuple(together))
        for place, numbers in variation.encode(together):
            engine.values[place] = numbers
        self.changed |= {n: variation.blocks[_owner(n)].values[n.rpartition(".")[2]] for n in whole}
        for runner in map(engine.context, self.plan.python_blocks):
            if own := _of(runner.name, whole):
                runner.set_parameters(own)
        engine.parameters_changed()

    def _variation(self, names: tuple[str, ...]) -> Variation:
        """What checks these parameters: kept, since a controller may set the same ones at every step."""
        if names not in self._variations:
            if len(self._variations) >= _KEPT:
                self._variations.clear()
            self._variations[names] = Variation(self.plan, names)
        return self._variations[names]

    def can_be(self, changed: Mapping[str, Any]) -> bool:
        """Whether these parameters of this plan can have been set."""
        try:
            Variation(self.plan, changed).encode(changed)
        except ParameterError:
            return False
        return True

    def take_up(self, engine: native.Engine, changed: Mapping[str, Any]) -> None:
        """Know what had been set in a state that the engine has taken up."""
        self.changed = dict(changed)
        for number, block in self.plan.python_blocks.items():
            runner = engine.context(number)
            runner.set_parameters(block.values | _of(runner.name, changed))

    def to_json(self) -> dict[str, Any]:
        """What was set, for `take_up`."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in self.changed.items()
        }

    def _check(self, name: str, started: bool) -> None:
        if name not in self.plan.parameters:
            raise SimulationError(
                f"no parameter '{name}'", code="unknown-parameter", wrong=name, valid=self.plan.parameters
            )
        if name in self.structural:
            raise ParameterError(
                f"{name} decides sizes, ports or equations and cannot change in a plan: make a Simulator of a diagram "
                f"that has another value"
            )
        if started and (why := self.declared[name].fixed or self.held.get(_owner(name))):
            raise ParameterError(
                f"{name} cannot change while the run goes on ({why}): set it before start(), or with "
                f"reset(parameters={{'{name}': …}})"
            )

    def _with_element(self, engine: native.Engine, name: str, value: Any) -> Any:
        place = self.plan.parameters[name.partition("[")[0]]
        present = engine.values[place.slice].copy()
        declared = self.declared[place.name]
        at = element_of(place, name)
        try:
            present[at] = float(value)
        except (TypeError, ValueError):
            unit = place.unit[at] if isinstance(place.unit, tuple) else place.unit
            raise ParameterError(
                f"{name} takes a number in {unit or '1'}, not {value!r}; with a unit in the text the parameter is set "
                f"as a whole"
            ) from None
        return present.reshape(declared.shape and place.shape)

    def seeds(self, seed: Any, vehicle: int | None = None) -> dict[str, int]:
        """A seed for each block that has one, from the one seed of the run. Raises SimulationError."""
        try:
            if isinstance(seed, bool):
                raise TypeError
            sequence = np.random.SeedSequence(seed if vehicle is None else (vehicle, seed))
        except (TypeError, ValueError):
            raise SimulationError(f"seed must be a whole number ≥ 0, not {seed!r}") from None
        names = [n for n in self.plan.parameters if n.rpartition(".")[2] == "seed" and n not in self.structural]
        return dict(zip(names, map(int, sequence.generate_state(len(names))), strict=True))


def _owner(name: str) -> str:
    """The block of a parameter."""
    return name.rpartition(".")[0]


def _of(owner: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of one block, by their own names."""
    return {name.rpartition(".")[2]: value for name, value in values.items() if _owner(name) == owner}
