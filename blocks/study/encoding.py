"""The numbers in which members of one plan differ, checked once for each combination that occurs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.errors import ParameterError, SimulationError
from blocks.model.element import bare
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.plan.variation import Variation, place_of
from blocks.run.inputs import input_numbers
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor
from blocks.study.members import Members
from blocks.study.seeds import Seeds
from blocks.study.variants import block_of
from blocks.units import same


@dataclass
class Table:
    """Rows of numbers that go to the same places, and which row each member takes."""

    places: NDArray[np.intp]
    numbers: NDArray[np.float64]
    rows: NDArray[np.int64]


@dataclass
class Numbers:
    """What is written into the values of an engine before each member of a plan starts."""

    tables: list[Table] = field(default_factory=list)
    seeds: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """By parameter the seed of each of these members."""

    @property
    def places(self) -> NDArray[np.intp]:
        """Where they go."""
        return np.concatenate([np.zeros(0, dtype=np.intp), *(table.places for table in self.tables)])

    def matrix(self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        """A row for each of these members."""
        return np.hstack([np.zeros((len(which), 0)), *(table.numbers[table.rows[which]] for table in self.tables)])


def encode(
    plan: Plan,
    factors: list[NamedFactor],
    given: Mapping[str, Any],
    seeds: Seeds,
    study: Members,
    members: NDArray[np.int64],
    seed: int,
) -> Numbers:
    """The numbers of these members, all of this plan; `given` are the inputs that are no factors.

    Raises StudyError, naming the level or sample.
    """
    return _Encoder(plan, factors, given, study, members).encode(seeds, seed)


class _Encoder:
    def __init__(
        self,
        plan: Plan,
        factors: list[NamedFactor],
        given: Mapping[str, Any],
        study: Members,
        members: NDArray[np.int64],
    ) -> None:
        self.plan, self.factors, self.given, self.study, self.members = plan, factors, given, study, members
        self.blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
        self.codes = {factor.name: study.codes(factor, members) for factor in factors}
        self.samples = {
            factor.name: study.values(factor, self._unit(factor))
            for factor in factors
            if factor.distribution is not None
        }
        self.numbers = Numbers()

    def _unit(self, factor: NamedFactor) -> str | None:
        """The unit of the targets of a factor with a distribution. Raises StudyError if it is not the same of all."""
        units = {}
        for target in factor.targets:
            place = self.plan.inputs.get(target) or place_of(self.plan.parameters, self._parameter(target, factor))
            units[target] = place.unit if isinstance(place.unit, str) else None
        first = factor.targets[0]
        other = next((target for target in units if not same(units[target], units[first])), None)
        if other is not None:
            raise StudyError(
                f"factor '{factor.name}': {first} is in {units[first]} and {other} in {units[other]}, and one "
                f"distribution cannot be of both"
            )
        return units[first]

    def _parameter(self, target: str, factor: NamedFactor | str) -> str:
        where = f"factor '{factor.name}'" if isinstance(factor, NamedFactor) else factor
        owner, _, name = block_of(target, self.blocks, self.plan.inputs, where)
        return f"{owner}.{name}"

    def encode(self, seeds: Seeds, seed: int) -> Numbers:
        owners: dict[tuple[str, str], list[NamedFactor]] = {}
        taken: dict[str, str] = {}
        for factor in self.factors:
            for target in sorted(factor.all_targets()):
                name = target if target in self.plan.inputs else self._parameter(target, factor)
                other = next((f for n, f in taken.items() if f != factor.name and _overlap(n, name)), "")
                if other:
                    raise StudyError(f"'{name}' is changed by two factors, '{other}' and '{factor.name}'")
                taken[name] = factor.name
                owner = "" if target in self.plan.inputs else bare(name).rpartition(".")[0]
                if owner:
                    # without checks that concern several parameters, each factor can be checked by itself
                    alone = factor.name if type(self.blocks[owner]).validate is Block.validate else ""
                    group = owners.setdefault((owner, alone), [])
                else:
                    group = owners.setdefault(("", target), [])
                if factor not in group:
                    group.append(factor)
        for (owner, which), group in owners.items():
            self.numbers.tables.append(self._table(owner, which, group))
        self._seeds(seeds, seed, taken)
        return self.numbers

    def _table(self, owner: str, which: str, group: list[NamedFactor]) -> Table:
        """The numbers of one block, or of one input, for each combination of levels that occurs."""
        codes = np.stack([self.codes[factor.name] for factor in group], axis=1)
        combinations, rows = np.unique(codes, axis=0, return_inverse=True)
        usual = self._usual(owner, which, group)
        if owner:
            variation = Variation(self.plan, usual, one_engine=True)
            places = [variation.places[name].slice for name in usual]
        else:
            places = [self.plan.inputs[which].slice]
        encoded = []
        for combination in combinations:
            values = dict(usual)
            for factor, code in zip(group, combination.tolist(), strict=True):
                values |= self._values(owner, which, factor, code)
            try:
                if owner:
                    encoded.append(np.concatenate([numbers for _, numbers in variation.encode(values)]))
                else:
                    encoded.append(input_numbers(self.plan.inputs[which], values[which]))
            except (ParameterError, SimulationError) as problem:
                raise StudyError(f"{self._where(group, combination)}: {problem}") from None
        where = np.concatenate([np.arange(place.start, place.stop, dtype=np.intp) for place in places])
        return Table(where, np.array(encoded), rows.reshape(-1))

    def _usual(self, owner: str, which: str, group: list[NamedFactor]) -> dict[str, Any]:
        """What the levels of these factors change, with the values of levels that leave it as it is in the diagram."""
        if not owner:
            return {which: 0.0 if self.given.get(which) is None else self.given[which]}
        names = sorted(
            self._parameter(target, factor)
            for factor in group
            for target in factor.all_targets()
            if target not in self.plan.inputs
        )
        return {name: self._present(owner, name) for name in names if bare(name).rpartition(".")[0] == owner}

    def _present(self, owner: str, name: str) -> Any:
        """The value of a parameter, or of an element, in the diagram."""
        value = self.blocks[owner].values[bare(name).rpartition(".")[2]]
        if name == bare(name):
            return value
        at = place_of(self.plan.parameters, name).first - self.plan.parameters[bare(name)].first
        return float(np.asarray(value).flat[at])

    def _values(self, owner: str, which: str, factor: NamedFactor, code: int) -> dict[str, Any]:
        """What one factor gives to a block, or to an input."""
        given = (
            factor.levels[code].changes
            if factor.distribution is None
            else dict.fromkeys(factor.targets, float(self.samples[factor.name][code]))
        )
        if not owner:
            return {target: value for target, value in given.items() if target == which}
        named = {self._parameter(target, factor): v for target, v in given.items() if target not in self.plan.inputs}
        return {name: value for name, value in named.items() if bare(name).rpartition(".")[0] == owner}

    def _where(self, group: list[NamedFactor], combination: Sequence[int]) -> str:
        parts = [
            f"{factor.name} = {factor.levels[code].label}"
            if factor.distribution is None
            else f"sample {code}, {factor.name} = {self.samples[factor.name][code]:g}"
            for factor, code in zip(group, combination, strict=True)
        ]
        return "factor " + ", ".join(parts)

    def _seeds(self, seeds: Seeds, seed: int, taken: dict[str, str]) -> None:
        for given in seeds.names:
            name = self._parameter(given, "seeds")
            if name in taken:
                raise StudyError(f"'{name}' is a seed and is changed by the factor '{taken[name]}' too")
            variation = Variation(self.plan, [name], one_engine=True)
            place = self.plan.parameters[name]
            greatest = _greatest(place, name)
            numbers = seeds.numbers(given, seed, self.study.count, self.study.replicates, greatest)
            try:
                for extreme in (numbers.min(), numbers.max()):
                    variation.encode({name: int(extreme)})
            except ParameterError as problem:
                raise StudyError(f"seeds: {problem}") from None
            own = self.study.along("replicate", self.members) if seeds.common else self.members
            self.numbers.seeds[given] = numbers[own]
            self.numbers.tables.append(
                Table(np.array([place.first], dtype=np.intp), numbers[:, None].astype(np.float64), own)
            )


def _overlap(one: str, other: str) -> bool:
    """Whether two names are of the same numbers: equal, or an array and an element of it."""
    return one == other or (bare(one) == bare(other) and (one == bare(one) or other == bare(other)))


def _greatest(place: Place, name: str) -> int:
    """The greatest seed that a parameter takes."""
    parameter = place.parameter  # type: ignore[call-overload]
    assert parameter is not None
    if place.shape or not parameter.integer:
        raise StudyError(f"seeds: {name} is {parameter.form()}; a seed is a single whole number")
    return int(min(parameter.at_most if parameter.at_most is not None else 2**53, 2**53))
