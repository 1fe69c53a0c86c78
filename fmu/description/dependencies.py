"""What the unknowns of an FMU for FMI 3.0 depend on, in the words of the standard: value references and elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fmu.description.incidence import Known
from fmu.description.model import Model, Unknowns
from fmu.description.variables import Variable

References = Mapping[str, int]
"""Value references by the names of variables."""

Source = tuple[int, int]
"""A value reference and an element of it, from 1; 0 is all elements."""
Link = tuple[int, int, int, int]
"""An element of an unknown, from 1, what it depends on, and how: one of CONSTANT and DEPENDENT."""

CONSTANT, DEPENDENT = 1, 5  # fmi3DependencyKind
AT_START, AT_RUN = 0, 1


class Dependencies:
    """Unknowns depend on inputs, on the time, while the model runs on states, and on parameters that may change.

    Without arrays the time is left out, as FMI 2 has it: OMSimulator, which takes no arrays, ends the process where
    dependencies name it.
    """

    def __init__(self, model: Model, references: References) -> None:
        self.unknowns = Unknowns(model.incidence, model.listed)
        self.value_references = references
        self._inputs: dict[tuple[str, int], Source] = {}
        self._states: dict[tuple[str, str, int], Source] = {}
        self._parameters: dict[tuple[str, str], list[int]] = {}
        self._tunable: dict[tuple[str, str], list[int]] = {}
        self._time: Source | None = None
        self._found: dict[tuple[int, Known], list[Source]] = {}
        for v in model.listed:
            if v.name not in references:
                continue
            reference = references[v.name]
            numbered = ((v.element + i, (reference, i + 1)) for i in range(v.place.count))
            if v.role == "time":
                self._time = (reference, 1) if model.arrays else None
            elif v.causality == "input":
                self._inputs |= {(v.place.name, i): source for i, source in numbered}
            elif v.state and v.role != "derivative":
                self._states |= {(*v.state, i): source for i, source in numbered}
            elif v.causality == "parameter" and v.leaf:
                key = (v.leaf.name, v.member)
                self._parameters.setdefault(key, []).extend(reference for _ in numbered)
                if v.variability == "tunable":
                    self._tunable[key] = self._parameters[key]

    def references(self, variable: Variable, phase: int) -> list[int]:
        """The value references that a whole variable depends on."""
        if phase == AT_START and (start := self.unknowns.start_parameter(variable)):
            return self._part(*start, variable.place.count)
        known = dict.fromkeys(self._known(variable, phase))
        return sorted({reference for item in known for reference, _ in self._sources(item, phase)})

    def equal(self, variable: Variable, phase: int) -> bool:
        """Whether a variable is what it depends on, element by element."""
        if phase == AT_START:
            return self.unknowns.start_parameter(variable) is not None
        return variable.causality == "output" and variable.role == "port" and self.unknowns.is_state(variable)

    def links(self, variable: Variable, phase: int) -> Iterator[Link]:
        """The same element by element."""
        kind = CONSTANT if self.equal(variable, phase) else DEPENDENT
        if phase == AT_START and (start := self.unknowns.start_parameter(variable)):
            leaf, parameter, first = start
            whole = self._parameters[leaf, parameter]
            for i, reference in enumerate(self._part(leaf, parameter, first, variable.place.count, each=True)):
                yield i + 1, reference, first + i - whole.index(reference) + 1, kind
            return
        for i, known in enumerate(self._known(variable, phase)):
            yield from ((i + 1, reference, element, kind) for reference, element in self._sources(known, phase))

    def table(self) -> Iterator[tuple[int, int, list[Link]]]:
        """(value reference, phase, links) of everything that is computed."""
        for phase, those in (
            (AT_START, self.unknowns.initial()),
            (AT_RUN, [*self.unknowns.outputs(), *self.unknowns.derivatives()]),
        ):
            for variable in those:
                yield self.value_references[variable.name], phase, list(self.links(variable, phase))

    def _part(self, leaf: str, parameter: str, first: int, count: int, each: bool = False) -> list[int]:
        part = self._parameters[leaf, parameter][first : first + count]
        return part if each else sorted(set(part))

    def _known(self, variable: Variable, phase: int) -> Iterable[Known]:
        return self.unknowns.at_run(variable) if phase == AT_RUN else self.unknowns.at_start(variable)

    def _sources(self, known: Known, phase: int) -> list[Source]:
        """What one element depends on; of a parameter it is all elements."""
        found = self._found.get((phase, known))
        if found is None:
            parameters = self._tunable if phase == AT_RUN else self._parameters
            references = {r for key in known.parameters for r in parameters.get(key, ())}
            sources = {self._inputs[key] for key in known.inputs} | {(r, 0) for r in references}
            sources |= {self._states[key] for key in known.states if key in self._states}
            if known.time and self._time:
                sources.add(self._time)
            found = self._found[phase, known] = sorted(sources)
        return found
