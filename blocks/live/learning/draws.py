"""What differs between episodes: parameters that are drawn from distributions, and the seeds of blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, WiringError, shown
from blocks.live.learning.declaration import Declaration
from blocks.metrics.signals import Kind
from blocks.plan import Plan
from blocks.plan.surface import Surface
from blocks.scenario.environment_model import RandomEntry
from blocks.study.distribution import DISTRIBUTIONS, Distribution, frozen
from blocks.units import to_unit

Array = NDArray[np.float64]

_RARE = 0.5e-9
_PARAMETER = re.compile(r"(?P<name>[\w.]+)(?:\[(?P<element>[^\]]+)\])?\Z")


@dataclass
class _Drawn:
    """One number, or one of several values, and where it goes: parameters, each with an element or whole."""

    name: str
    targets: list[tuple[str, int | None]]
    distribution: Distribution | None
    choice: list[Any]
    bounded: bool = True

    def values(self, shares: Array) -> Any:
        """The values at these shares of (0, 1), a row for each."""
        if self.distribution is not None:
            return self.distribution.ppf(shares)
        return np.stack([self.choice[int(share * len(self.choice))] for share in shares])

    def extremes(self) -> list[Any]:
        """What it may become at most; of a distribution without an end, but for one draw in a billion."""
        if self.distribution is None:
            return self.choice
        rare = 0.0 if self.bounded else _RARE
        return list(self.distribution.ppf(np.array([rare, 1.0 - rare])))


class Draws:
    """Draws the parameters of episodes, those of each vehicle by a generator of its own.

    Every parameter called `seed` that is not among `randomise` gets a number of its own for each episode, so that no
    two have the same waves, gusts and noise.
    """

    def __init__(self, declaration: Declaration, plan: Plan | Surface, diagram: Diagram) -> None:
        self.declaration = declaration
        self.plan = plan
        blocks = self._blocks = diagram.blocks()
        self.drawn = [self._drawn(name, entry) for name, entry in declaration.entry.randomise.items()]
        self.base = {
            target: np.array(blocks[target.rpartition(".")[0]].values[target.rpartition(".")[2]], dtype=np.float64)
            for drawn in self.drawn
            for target, _ in drawn.targets
        }
        self._check(blocks)
        taken = set(self.base)
        self.seeds = {
            f"{name}.seed": int(block.all_parameters()["seed"].at_most or 2**32 - 1)
            for name, block in blocks.items()
            if "seed" in block.all_parameters() and f"{name}.seed" not in taken
        }

    def _check(self, blocks: Mapping[str, Block]) -> None:
        """Raise ScenarioError where a parameter cannot differ, is drawn twice, or cannot be all that it may become."""
        seen: dict[tuple[str, int], str] = {}
        for drawn in self.drawn:
            with self.declaration.at("randomise", drawn.name):
                for target, element in drawn.targets:
                    for number in range(self.base[target].size) if element is None else (element,):
                        if (other := seen.setdefault((target, number), drawn.name)) is not drawn.name:
                            raise WiringError(f"'{other}' draws {target}, too; name each once")
                    owner, _, name = target.rpartition(".")
                    block = blocks[owner].copy()
                    for value in drawn.extremes():
                        whole = self.base[target].copy()
                        whole.reshape(-1)[slice(None) if element is None else slice(element, element + 1)] = np.ravel(
                            value
                        )
                        try:
                            block.set(**{name: whole})
                        except ParameterError as problem:
                            rare = "" if drawn.bounded else "; one draw in a billion is that far from the mean"
                            raise ParameterError(f"{problem}{rare}") from None

    def rows(self, generators: Sequence[np.random.Generator]) -> dict[str, Array]:
        """A row for each generator, by parameter."""
        shares = np.array([generator.random(len(self.drawn)) for generator in generators])
        shares = np.clip(shares, 2.0**-54, 1.0 - 2.0**-53)  # quantiles of 0 and 1 may be infinite
        found = {name: np.repeat(base[None], len(generators), axis=0) for name, base in self.base.items()}
        for drawn, column in zip(self.drawn, shares.T, strict=True):
            values = drawn.values(column)
            for target, element in drawn.targets:
                flat = found[target].reshape(len(generators), -1)
                if element is None:
                    flat[...] = values.reshape(len(generators), -1)
                else:
                    flat[:, element] = values
        for name, greatest in self.seeds.items():
            found[name] = np.array([float(generator.integers(greatest + 1)) for generator in generators])
        return found

    def _drawn(self, name: str, entry: RandomEntry) -> _Drawn:
        """Read one entry. Raises ScenarioError with its place."""
        with self.declaration.at("randomise", name):
            targets, units, shapes = [], [], []
            for text in entry.of or [name]:
                target, element, unit, shape = self._target(text)
                targets.append((target, element))
                units.append(unit)
                shapes.append(shape)
            if len(set(units)) > 1:
                raise WiringError(f"its parameters have different units: {', '.join(map(str, units))}")
            if entry.choice is not None:
                return _Drawn(name, targets, None, [_value(item, units[0], shapes[0]) for item in entry.choice])
            if shapes[0] not in ((), (1,)):
                first = f"{name}[0]"
                raise WiringError(f"{targets[0][0]} has {'×'.join(map(str, shapes[0]))} numbers; name one: {first}")
            kind = next(kind for kind in DISTRIBUTIONS if getattr(entry, kind) is not None)
            distribution = frozen(DISTRIBUTIONS[kind](*getattr(entry, kind)), units[0], kind)
            return _Drawn(name, targets, distribution, [], bounded=kind != "normal")

    def _target(self, text: str) -> tuple[str, int | None, str | None, tuple[int, ...]]:
        """Parameter, element, unit and shape of what is drawn."""
        match = _PARAMETER.match(text)
        if match is None or match["name"] not in self.plan.parameters:
            name = match["name"] if match else text
            raise WiringError(
                f"no parameter '{name}'", code="unknown-parameter", wrong=name, valid=self.plan.parameters
            )
        name, element = match["name"], match["element"]
        place = self.plan.parameters[name]
        owner, _, bare = name.rpartition(".")
        if bare in self._blocks[owner].structural_parameters():
            raise ParameterError(f"{name} decides sizes, ports or equations and cannot differ between episodes")
        state = self.plan.states.get(f"{owner}.{bare.removeprefix('initial_')}")
        labels: tuple[str, ...] = getattr(vars(place)["parameter"], "labels", ())
        labels = labels or (state.signal.labels if state and state.signal else ())
        kind = Kind.of(place)
        if not element:
            return name, None, kind.units[0] if len(set(kind.units)) == 1 else None, place.shape
        numbers = element.split(",")
        if element in labels:
            number = labels.index(element)
        elif all(part.strip().isdigit() for part in numbers) and len(numbers) in (1, len(place.shape)):
            try:
                index = tuple(int(part) for part in numbers)
                number = int(np.ravel_multi_index(index, place.shape)) if len(index) > 1 else index[0]
            except ValueError:
                number = place.count
        else:
            number = place.count
        if number >= place.count:
            valid = labels or [str(i) for i in range(place.count)]
            raise WiringError(f"{name} has no element '{element}'", code="unknown-element", wrong=element, valid=valid)
        return name, number, kind.units[number] or None, ()


def _value(item: Any, unit: str | None, shape: tuple[int, ...]) -> Array:
    """One of the values that are chosen from. Raises ParameterError."""
    try:
        value = np.array(to_unit(item, unit) if isinstance(item, str) else item, dtype=np.float64)
        return np.broadcast_to(value, shape)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, ParameterError):
            raise
        raise ParameterError(f"{_wanted(shape)} wanted, not {shown(item)}") from None


def _wanted(shape: tuple[int, ...]) -> str:
    """So many numbers, in words."""
    return "a number is" if shape in ((), (1,)) else f"{'×'.join(map(str, shape))} numbers are"
