"""A model as Modelica gets it: its plan, its variables, who integrates its states, and what depends on what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from blocks.block import Block
from blocks.compiled.structure import Structure
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.description.catalogue import catalogue
from fmu.description.legal_variables import legal_variables
from fmu.description.model import Model, Unknowns
from fmu.description.variables import Variable
from fmu.flat_c.export import Model as Laid
from fmu.flat_c.layout import Layout
from fmu.modelica.names import c_name, component_name, free_name

States = Literal["auto", "tool", "solver"]
"""Who integrates: the tool, our solver at its step, or the tool where that can be."""


@dataclass(frozen=True)
class Group:
    """Outputs that depend on the same inputs."""

    outputs: tuple[Variable, ...]
    inputs: tuple[Variable, ...]


@dataclass(frozen=True, eq=False)
class Subject:
    """A model of the package.

    name: of the class; c, c_of_plan: what names in C begin with, those of functions that are called and those of the
    plan; model: as FMI describes it; layout: where it stands in memory; by_tool: whether the tool integrates it; files:
    those of the FMU that the model is put around, by their paths; none where C stands behind it.
    """

    name: str
    c: str
    c_of_plan: str
    model: Model
    layout: Layout
    by_tool: bool
    files: Mapping[str, bytes] = field(default_factory=dict)

    def called(self, variable: Variable) -> str:
        """Its name in Modelica."""
        return component_name(variable.name)

    def free(self, name: str) -> str:
        """A name that no variable has."""
        return free_name(name, self._taken)

    @cached_property
    def _taken(self) -> set[str]:
        return {component_name(v.name) for v in self.model.variables if v.role != "time"}

    def _of(self, causality: str) -> tuple[Variable, ...]:
        return tuple(v for v in self.model.variables if v.causality == causality and v.place.count)

    @cached_property
    def inputs(self) -> tuple[Variable, ...]:
        """External inputs."""
        return self._of("input")

    @cached_property
    def parameters(self) -> tuple[Variable, ...]:
        """What may be set before a run."""
        return self._of("parameter")

    @cached_property
    def constants(self) -> tuple[Variable, ...]:
        """What the model was made with: parameters that decide ports, states or the order of evaluation."""
        return tuple(v for v in self.model.variables if v.role == "parameter" and v.variability == "constant")

    @cached_property
    def outputs(self) -> tuple[Variable, ...]:
        """What is shown: outputs, or all outputs of blocks where there are none."""
        found = tuple(v for v in self.model.variables if v.causality == "output" and v.role == "port" and v.place.count)
        local = (v for v in self.model.variables if v.causality == "local" and v.role == "port" and v.place.count)
        return found or tuple(v for v in local if v.state is None)

    @cached_property
    def states(self) -> tuple[Variable, ...]:
        """Continuous states, some of which are outputs."""
        return tuple(v for v in self.model.variables if v.state and v.role != "derivative" and v.place.count)

    @cached_property
    def unknowns(self) -> Unknowns:
        """What depends on what."""
        return Unknowns(self.model.incidence, self.model.variables)

    @cached_property
    def copies(self) -> dict[Variable, Variable]:
        """Outputs that are states which the tool integrates, under another name or the same."""
        if not self.by_tool:
            return {}
        states = {(state.place.first, state.place.shape): state for state in self.states}
        found = {v: states.get((v.place.first, v.place.shape)) for v in self.outputs}
        return {output: state for output, state in found.items() if state is not None}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The outputs that are computed, by the inputs that they depend on: else tools would see algebraic loops."""
        found: dict[frozenset[str], list[Variable]] = {}
        for output in self.outputs:
            if output not in self.copies:
                found.setdefault(self._needed(output), []).append(output)
        return tuple(
            Group(tuple(outputs), tuple(v for v in self.inputs if v.place.name in names))
            for names, outputs in found.items()
        )

    def _needed(self, output: Variable) -> frozenset[str]:
        if output.feed is None:  # the output of a block within
            return frozenset(v.place.name for v in self.inputs)
        return frozenset(name for known in self.unknowns.at_run(output) for name, _ in known.inputs)

    @cached_property
    def inputs_at_start(self) -> tuple[Variable, ...]:
        """The inputs that initial states depend on."""
        computed = [v for v in self.states if self.start_of(v) is None]
        names = {name for v in computed for known in self.unknowns.at_start(v) for name, _ in known.inputs}
        return tuple(v for v in self.inputs if v.place.name in names)

    def start_of(self, state: Variable) -> Variable | None:
        """The parameter that the start value of a state simply is, element by element."""
        found = self.unknowns.start_parameter(state)
        if found is None:
            return None
        wanted = (*found[:2], state.place.count)
        those = (p for p in self.parameters if p.leaf and (p.leaf.name, p.member, p.place.count) == wanted)
        return next(those, None)


def subject_of(component: Diagram | Block, title: str, name: str, package: str, laid: Laid, states: States) -> Subject:
    """A model of the package by its plan. Raises ExportError if the tool shall integrate what only our solver can."""
    layout = laid.layout
    plan = layout.plan
    alone = isinstance(component, Block)
    shown = not component.output_ports
    variables = catalogue(plan, alone=alone, local_variables=shown, continuous=True, clocks=False)
    variables = legal_variables([v for v in variables if v.role not in ("indicator", "size")], arrays=True)
    model = Model(title, name, laid.about, component, plan, ("me",), variables)
    why = _why_not_by_tool(layout.structure)
    if states == "tool" and why:
        raise ExportError(
            f"a tool cannot integrate '{title}': {why}. Let the solver of Keelblocks do so (--states solver), at its "
            "step, or export the parts that have none by themselves (--only)"
        )
    return Subject(name, c_name(package, name), laid.name, model, layout, by_tool=states != "solver" and not why)


def _why_not_by_tool(structure: Structure) -> str:
    """What of a plan is not a function of time, continuous states and inputs; nothing if all is."""
    names = list(_with_memory(structure))
    if not names:
        return ""
    some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return f"{some} {'has' if len(names) == 1 else 'have'} samples, modes or memories of the last step"


def _with_memory(structure: Structure) -> Iterable[str]:
    for block in structure.blocks:
        if block.z.count or block.rate:
            yield block.name
