"""What an FMU says about its model, before it is written in the words of one version of FMI."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.plan import Plan
from blocks.plan.settings import ADAPTIVE, Settings
from fmu.description.drawing import Drawing, drawing
from fmu.description.incidence import Incidence, Known
from fmu.description.scalars import scalars
from fmu.description.variables import Variable

LOG_CATEGORIES = {
    "logAll": "all messages",
    "logEvents": "instantiation, initialization, events, termination and reset",
    "logStatusWarning": "messages of functions that return a warning",
    "logStatusDiscard": "messages of functions that discard what they were asked for",
    "logStatusError": "messages of functions that return an error",
}


@dataclass(frozen=True)
class Model:
    """A model as it leaves: its plan, its names and its variables."""

    name: str
    identifier: str
    """The name as a C identifier."""
    description: str
    component: Diagram | Block
    plan: Plan
    interfaces: tuple[str, ...]
    """Of "cs" and "me"."""
    variables: list[Variable]
    """Whole ports, parameters and states."""
    arrays: bool = True
    """Whether they are arrays in FMI 3.0, or listed element by element."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Author, version, copyright and license, as far as they were given."""
    sources: tuple[str, ...] = ()
    """C files of a source-code FMU that a compiler is given."""
    libraries: tuple[str, ...] = ()
    """Compiled libraries that it has kernels of, with their versions."""

    @property
    def settings(self) -> Settings:
        """How it integrates, and its default experiment."""
        return self.plan.settings

    @property
    def adaptive(self) -> bool:
        """Whether the solver chooses its own steps."""
        return self.settings.solver in ADAPTIVE

    @cached_property
    def listed(self) -> list[Variable]:
        """The variables as FMI 3.0 lists them."""
        return self.variables if self.arrays else scalars(self.variables)

    @cached_property
    def indicator_count(self) -> int:
        """How many event indicators there are for model exchange."""
        return sum(v.place.count for v in self.variables if v.role == "indicator")

    @cached_property
    def drawing(self) -> Drawing:
        """What it looks like."""
        return drawing(self.component)

    @cached_property
    def incidence(self) -> Incidence:
        """What depends on what."""
        return Incidence(self.plan.flat)


@functools.cache
def version() -> str:
    """The installed version of Keelblocks."""
    try:
        return importlib.metadata.version("keelblocks")
    except importlib.metadata.PackageNotFoundError:
        return "0"


class Unknowns:
    """Those of some variables that the model computes, and what every element of them depends on."""

    def __init__(self, incidence: Incidence, variables: list[Variable]) -> None:
        self._incidence = incidence
        self._variables = variables
        self._parameters = {(v.leaf.name, v.member) for v in variables if v.causality == "parameter" and v.leaf}

    def outputs(self) -> list[Variable]:
        """All outputs, clocks among them."""
        return [v for v in self._variables if v.causality == "output"]

    def derivatives(self) -> list[Variable]:
        """The derivatives of all continuous states, in the order of the states."""
        return [v for v in self._variables if v.role == "derivative"]

    def indicators(self) -> list[Variable]:
        """The event indicators, in the order in which the runtime gives them."""
        return [v for v in self._variables if v.role == "indicator"]

    def initial(self) -> list[Variable]:
        """What initialization computes and may be asked for: outputs, calculated parameters, states, derivatives."""
        return [
            v
            for v in self._variables
            if v.causality in ("output", "calculatedParameter") or v.role in ("state", "derivative")
        ]

    def at_run(self, variable: Variable) -> Iterator[Known]:
        """What each element of an output or derivative depends on while the model runs."""
        for element in _elements(variable):
            if variable.role == "clock":
                yield _TIME
            elif variable.role == "derivative":
                assert variable.leaf is not None
                yield self._incidence.derivative(variable.leaf, variable.member, element)
            else:
                assert variable.feed is not None
                yield self._incidence.output(variable.feed, element)

    def at_start(self, variable: Variable) -> Iterator[Known]:
        """What each element of an initial unknown depends on in initialization."""
        for element in _elements(variable):
            if variable.role == "clock":
                yield _TIME
            elif variable.feed is not None:
                yield self._incidence.initial_output(variable.feed, element)
            elif variable.role == "parameter":
                assert variable.leaf is not None
                yield self._incidence.calculated(variable.leaf, variable.member)
            elif variable.role == "derivative":
                assert variable.leaf is not None
                yield self._incidence.initial_derivative(variable.leaf, variable.member, element)
            else:
                assert variable.leaf is not None
                yield self._incidence.initial_state(variable.leaf, variable.member, element)

    def is_state(self, variable: Variable) -> bool:
        """Whether an output simply is a continuous state."""
        feed = variable.feed
        return feed is not None and feed.block is not None and feed.block.block.state_of(feed.port) is not None

    def start_parameter(self, variable: Variable) -> tuple[str, str, int] | None:
        """The parameter that the start value of an output or state simply is: block, parameter, first element.

        None if there is none, or the FMU does not show it.
        """
        feed = variable.feed
        if variable.role == "state":
            assert variable.leaf is not None
            leaf, state, first = variable.leaf, variable.member, 0
        elif feed is not None and feed.block is not None:
            leaf, state, first = feed.block, feed.block.block.state_of(feed.port) or "", feed.start or 0
        else:
            return None
        if not state or (leaf.name, f"initial_{state}") not in self._parameters:
            return None
        if not self._incidence.start_is_parameter(leaf, state):
            return None
        return leaf.name, f"initial_{state}", first + variable.element


def _elements(variable: Variable) -> range:
    return range(variable.element, variable.element + variable.place.count)


_TIME = Known(frozenset(), frozenset(), frozenset(), True)
