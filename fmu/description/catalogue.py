"""Which variables an FMU of a plan has, in the order in which it lists them."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from blocks.errors import ExportError
from blocks.model.block import Block
from blocks.plan import Plan
from blocks.plan.flatten import Feed, Leaf
from blocks.plan.place import Place
from cython_kernels import engine as native
from fmu import units
from fmu.description.variables import Limits, Variability, Variable, parameter, port


def catalogue(
    plan: Plan, *, alone: bool, local_variables: bool, continuous: bool, clocks: bool = True
) -> list[Variable]:
    """Every variable of an FMU of this plan.

    These are the time, inputs, outputs, sizes that may change, parameters and what is calculated from them, with
    `continuous` the states, their derivatives and the event indicators, on request all other outputs of blocks, and
    with `clocks` those. `alone` says that the plan is that of one block, whose name is then left out.
    Raises ExportError if two variables would have the same name.
    """
    return _Catalogue(plan, alone).collect(local_variables, continuous, clocks)


class _Catalogue:
    def __init__(self, plan: Plan, alone: bool) -> None:
        self.plan = plan
        self.alone = alone
        self.found: list[Variable] = []
        self.given = np.frombuffer(plan.stored, dtype="<f8", offset=native.HEADER_SIZE, count=_given_count(plan))
        self.moving = {(leaf.name, name) for leaf, name in plan.flat.changing}

    def collect(self, local_variables: bool, continuous: bool, clocks: bool) -> list[Variable]:
        self._time()
        self._ports()
        self.ports = {variable.name: number for number, variable in enumerate(self.found) if variable.role == "port"}
        for leaf in self.plan.flat.leaves:
            self._parameters(leaf)
        self._calculated()
        if continuous:
            self._states()
            self._indicators()
        if local_variables and not self.alone:
            self._locals()
        if clocks:
            self._clocks()
        _check_names(self.found)
        return self.found

    def _name(self, leaf: Leaf, member: str) -> str:
        return member if self.alone else f"{leaf.name}.{member}"

    def _variability(self, feed: Feed) -> Variability:
        return "continuous" if feed.block is None or (feed.block.name, feed.port) in self.moving else "discrete"

    def _time(self) -> None:
        """The independent variable; a block alone may have something else of its usual name."""
        block = self.plan.flat.leaves[0].block
        name = "simulation_time" if self.alone and "time" in _members(block) else "time"
        place = Place(name, 0, (), "s", "time of the simulation")
        self.found.append(Variable(name, place, "independent", "continuous", "time"))

    def _ports(self) -> None:
        for name, place in self.plan.inputs.items():
            self.found.append(port(name, place, "input", "continuous", start=self.given[place.slice]))
        for name, place in self.plan.external_outputs.items():
            feed = self.plan.flat.outputs[name]
            self.found.append(port(name, place, "output", self._variability(feed), feed=feed))

    def _parameters(self, leaf: Leaf) -> None:
        sizes: dict[str, Variable] = {}
        for symbol, names in leaf.block.resizable_sizes().items():
            size = self._size(leaf, symbol, names)
            self.found.append(size)
            sizes |= dict.fromkeys(names, size)
        constant = leaf.block.structural_parameters()
        for name, declared in leaf.block.all_parameters().items():
            place = self.plan.parameters[f"{leaf.name}.{name}"]
            start = self.given[place.slice]
            if name in sizes:
                start = start[: place.count // place.shape[0] * self.plan.flat.sizes[leaf][sizes[name].member]]
            made = parameter(self._name(leaf, name), place, start, leaf, declared, name in constant)
            self.found.append(dataclasses.replace(made, size=sizes[name].name) if name in sizes else made)

    def _size(self, leaf: Leaf, symbol: str, names: list[str]) -> Variable:
        """How many rows some parameters have, which may change before initialization."""
        path = f"{leaf.name}.{symbol}"
        room = self.plan.parameters[f"{leaf.name}.{names[0]}"].shape[0]
        place = Place(path, self.plan.numbers[path], (), None, f"number of rows of {', '.join(names)}")
        return Variable(
            self._name(leaf, symbol), place, "structuralParameter", "fixed", "size", "Size",
            start=np.array([float(self.plan.flat.sizes[leaf][symbol])]), leaf=leaf, member=symbol,
            limits=Limits(float(type(leaf.block).least_sizes.get(symbol, 1)), float(room)),
        )  # fmt: skip

    def _calculated(self) -> None:
        for leaf in self.plan.flat.leaves:
            known = leaf.block.all_parameters()
            constant = leaf.block.structural_parameters()
            for name, declared in leaf.block.calculated_parameters.items():
                path = f"{leaf.name}.{name}"
                if path not in self.plan.calculated:
                    continue
                tunable = any(known[other].tunable for other in declared.depends if other not in constant)
                self.found.append(
                    Variable(
                        self._name(leaf, name), self.plan.calculated[path], "calculatedParameter",
                        "tunable" if tunable else "fixed", "parameter", leaf=leaf, member=name,
                        labels=declared.labels, frame=declared.frame,
                    )
                )  # fmt: skip

    def _states(self) -> None:
        """Continuous states, each followed by its derivative."""
        plan = self.plan
        for leaf in plan.flat.leaves:
            for name, state in leaf.block.states.items():
                if state.discrete:
                    continue
                here = plan.states[f"{leaf.name}.{name}"]
                variable = self._state(leaf, name, here)
                unit = here.unit
                rate = (
                    tuple(map(units.per_second, unit)) if isinstance(unit, tuple) else unit and units.per_second(unit)
                )
                place = Place(
                    f"der({here.name})", here.first + plan.derivative_offset, here.shape, rate,
                    f"derivative of {variable.place.doc or variable.name}",
                )  # fmt: skip
                self.found.append(
                    dataclasses.replace(
                        variable, name=f"der({variable.name})", place=place, causality="local", role="derivative",
                        leaf=leaf, member=name, feed=None,
                    )
                )  # fmt: skip

    def _state(self, leaf: Leaf, name: str, place: Place) -> Variable:
        """The variable that is this state: an output of the model that has its name and place, or else a new one."""
        identity = (leaf.name, name)
        wanted = self._name(leaf, name)
        i = self.ports.get(wanted)
        if i is not None and _same(self.found[i].place, place):
            self.found[i] = dataclasses.replace(self.found[i], state=identity)
            return self.found[i]
        block = leaf.block
        port_of_its_own = name in block.output_ports and block.state_of(name) != name
        if port_of_its_own or name in block.input_ports or name in block.all_parameters():
            wanted = f"{wanted}_state"
        if not place.doc:
            place = dataclasses.replace(place, doc=_describe_state(leaf, name))
        variable = port(wanted, place, "local", "continuous", leaf=leaf, member=name)
        self.found.append(dataclasses.replace(variable, role="state", state=identity))
        return self.found[-1]

    def _indicators(self) -> None:
        first = self.plan.regions.g
        for leaf in self.plan.flat.leaves:
            count = leaf.block.crossing_count(self.plan.flat.sizes[leaf])
            if count:
                name = self._free(self._name(leaf, "crossings"), leaf)
                place = Place(name, first, (count,), None, "functions whose zeros are the events of the block")
                self.found.append(Variable(name, place, "local", "continuous", "indicator", leaf=leaf))
                first += count

    def _locals(self) -> None:
        """All outputs of blocks; those that are states are there already."""
        there = {variable.name: variable for variable in self.found}
        at = {(v.place.first, v.place.shape): v.name for v in self.found if v.role == "state"}
        for leaf in self.plan.flat.leaves:
            for name in leaf.block.output_ports:
                path = f"{leaf.name}.{name}"
                if path in there and there[path].role == "state":
                    continue
                place = self.plan.outputs[path]
                made = port(path, place, "local", self._variability(Feed(leaf, name)), leaf=leaf, member=name)
                same = at.setdefault((place.first, place.shape), path)
                self.found.append(made if same == path else dataclasses.replace(made, alias_of=same))

    def _clocks(self) -> None:
        """A clock for each sample rate, in the order of the rates of the plan."""
        groups: dict[tuple[float, float], list[Leaf]] = {}
        for leaf in self.plan.flat.leaves:
            if leaf.block.sampled:
                rate = (float(leaf.block.values["period"]), float(leaf.block.values["offset"]))
                groups.setdefault(rate, []).append(leaf)
        for number, ((period, offset), leaves) in enumerate(groups.items()):
            name = self._clock_name(leaves)
            first = f", first at {offset:g} s" if offset else ""
            doc = f"ticks every {period:g} s{first}, when {', '.join(leaf.name for leaf in leaves)} sample"
            self.found.append(
                Variable(
                    name, Place(name, number, (), None, doc), "output", "discrete", "clock", "Clock", leaf=leaves[0]
                )
            )

    def _clock_name(self, leaves: list[Leaf]) -> str:
        """After the block that samples, or what the blocks that do so have in common."""
        levels = zip(*(leaf.name.split(".") for leaf in leaves), strict=False)
        group = [names[0] for names in itertools.takewhile(lambda names: len(set(names)) == 1, levels)]
        name = ".".join([*group, "clock"]) if not self.alone else "clock"
        if any(variable.name == name for variable in self.found):
            name = self._name(leaves[0], "clock")
        return self._free(name, leaves[0])

    def _free(self, name: str, leaf: Leaf) -> str:
        """The name, with something behind it if the block has a port or parameter of that name."""
        taken = _members(leaf.block)
        prefix, _, own = name.rpartition(".")
        while own in taken or any(variable.name == name for variable in self.found):
            own += "_"
            name = f"{prefix}.{own}" if prefix else own
        return name


def _members(block: Block) -> set[str]:
    """The names of all that a block has."""
    return {
        *block.input_ports, *block.output_ports, *block.all_parameters(), *block.states, *block.calculated_parameters
    }  # fmt: skip


def _given_count(plan: Plan) -> int:
    """How many start values of inputs and parameters a plan stores, and of what lies between them."""
    places = [*plan.inputs.values(), *plan.parameters.values()]
    return max((place.first + place.count for place in places), default=0)


def _same(one: Place, other: Place) -> bool:
    return (one.first, one.shape) == (other.first, other.shape)


def _describe_state(leaf: Leaf, name: str) -> str:
    """A state without words of its own has those of the output that it is."""
    for output, declared in leaf.block.output_ports.items():
        if declared.doc and leaf.block.state_of(output) == name:
            return declared.doc
    return f"state {name}"


_KINDS = {
    "independent": "time of the simulation", "structuralParameter": "size", "calculatedParameter": "parameter",
    "local": "variable",
}  # fmt: skip


def _check_names(found: list[Variable]) -> None:
    names: dict[str, Variable] = {}
    for variable in found:
        other = names.setdefault(variable.name, variable)
        if other is not variable:
            one, two = (_KINDS.get(v.causality, v.causality) for v in (other, variable))
            raise ExportError(
                f"the {one} and the {two} '{variable.name}' have the same name; every variable needs its own where "
                f"it leaves: give one of the ports of the diagram another name"
            )
