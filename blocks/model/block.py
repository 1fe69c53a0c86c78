"""Block: a declaration plus a kernel. See `declare.py` for what can be declared and `view.pxd` for kernels."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from blocks.errors import (
    DeclarationError,
    MissingPortError,
    ParameterError,
    WiringError,
    did_you_mean,
    near_misses,
    raise_all,
)
from blocks.model.calculated import CalculatedParameter
from blocks.model.class_declarations import (
    declarations_of,
    making,
    ports_of,
    refuse_unknown_limits,
    refuse_unknown_sources,
    sampling_parameters,
    signature_of,
)
from blocks.model.component import Component, PortRef
from blocks.model.declare import REQUIRED, Input, Output, Parameter, State, Value
from blocks.model.dependence import Sources
from blocks.model.derived import Crossing, Derived, extent, present
from blocks.model.element import with_elements
from blocks.model.examples import Example
from blocks.model.file_origin import FileOrigin, near
from blocks.model.given import differs, full_default, own_names, short
from blocks.model.improbable import improbable_values, unit_in
from blocks.model.item_words import or_in_words, owner_in_words, spelled_out
from blocks.model.package import library_of, note
from blocks.model.parameter_sizes import sizes_of
from blocks.problems import Problem

Sizes = Mapping[str, int]
Units = tuple[str | None, ...]
"""The unit of each element of a signal, None where it is not known."""
B = TypeVar("B", bound="Block")


REGISTERED: dict[str, type[Block]] = {}
"""The blocks that have been imported, by the name that scenario files use; all there are: `library()`."""

FAMILIES = ("basic", "control", "dynamics", "environment", "guidance", "navigation", "power", "sensors", "thrust")
"""The families of the library: the folders that hold its blocks, and what `type:` begins with in scenario files."""


class Block(Component):
    """What a block is, without what it is asked for.

    `blocks.block.Block` is what everybody imports, and says what can be declared.
    """

    kernel: str = ""
    kernels: ClassVar[tuple[str, ...]] = ()
    by_number: ClassVar[str] = ""
    """Of u, y, p, x, z, w and g those that the kernel sees by number, as its instances differ in more than the last."""

    enumerations: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Words with numbers, from 0 in their order, that the kernel knows by name besides the choices of parameters."""

    uses_time: ClassVar[bool] = False
    family: ClassVar[str] = ""
    library: ClassVar[str] = ""
    """The compiled library that declares it: a package with kernels of its own."""
    sizes: ClassVar[tuple[str, ...]] = ()
    faults: ClassVar[tuple[str, ...]] = ()
    sampled: ClassVar[bool] = False
    sampling: ClassVar[tuple[str, str]] = ("period", "offset")
    reads_outputs: ClassVar[tuple[str, ...]] = ()
    concatenates: ClassVar[bool] = False
    positional: ClassVar[tuple[str, ...]] = ()
    open_ended: ClassVar[bool] = False
    declared_in: ClassVar[tuple[str, ...]] = ()
    declaration_keys: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[Mapping[str, str]] = {}
    other_names: ClassVar[tuple[str, ...]] = ()
    sections_taken: ClassVar[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {}
    """Types of other blocks whose sections of vehicle files will do for this one, too, each with what makes parameters
    of this block of those; what it does not have is left out."""
    vocabulary: ClassVar[Mapping[str, tuple[tuple[str, str], ...]]] = {}
    """What texts that it takes can say, by groups: how it is written, and what it is."""
    least_sizes: ClassVar[Mapping[str, int]] = {}
    """The least number of a resizable size where that is not 1."""

    taken_from: tuple[str, str | None] | None = None
    """The vehicle and the section of its file that the parameters were taken from."""

    file_constructors: ClassVar[Mapping[str, str]] = {}
    """Which class method `from_file` takes, by the ending of the path, where there are several."""

    file_origin: FileOrigin | None = None  # of tables, where `from_file` or the like has read them

    examples: ClassVar[tuple[Example, ...]] = ()
    """Parameters with which the block does all that it can, one or several sets: the first is shown to readers, and
    tests that go over every block take all. A block without required parameters does without."""

    alike: ClassVar[bool] = False
    """Whether all inputs are to have one unit."""

    levels: ClassVar[tuple[str, ...]] = ()
    """Parameters of a source that are in the unit of its output, which is any."""

    given_units: Mapping[str, str] = MappingProxyType({})
    """The units in which parameters that take any were given."""

    values: dict[str, Value]
    """Parameters and initial values in SI."""

    sources: dict[str, str]
    """Where parameters come from, as vehicle files say it."""

    declared_inputs: ClassVar[dict[str, Input]] = {}
    declared_outputs: ClassVar[dict[str, Output]] = {}
    declared_states: ClassVar[dict[str, State]] = {}
    parameters: ClassVar[dict[str, Parameter]] = {}
    derived_constants: ClassVar[dict[str, Derived]] = {}
    crossings: ClassVar[dict[str, Crossing]] = {}
    calculated_parameters: ClassVar[dict[str, CalculatedParameter]] = {}

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = declarations_of(cls)
        cls.declared_inputs = ports_of(found, Input)
        cls.declared_outputs = ports_of(found, Output)
        cls.declared_states = {s.name: s for s in found if isinstance(s, State)}
        cls.parameters = {p.name: p for p in found if isinstance(p, Parameter)}
        cls.derived_constants = {d.name: d for d in found if isinstance(d, Derived)}
        cls.crossings = {c.name: c for c in found if isinstance(c, Crossing)}
        cls.calculated_parameters = {c.name: c for c in found if isinstance(c, CalculatedParameter)}
        if cls.sampled and cls.sampling[0] not in cls.parameters:
            cls.parameters |= sampling_parameters()
        cls.initial_parameters = {
            p.name: p for s in cls.declared_states.values() if not s.private for p in [s.initial_parameter()]
        }
        for name in cls.initial_parameters:
            if name in cls.parameters:
                raise DeclarationError(
                    f"{cls.__name__}.{name} is the initial value of the state {name.removeprefix('initial_')}, and "
                    f"cannot be declared; make the state private, or give the parameter another name"
                )
        if cls.declared_inputs:  # of others, each instance makes its own
            refuse_unknown_sources(cls)
        cls.library = library_of(cls.__module__)
        if cls.library:
            note(cls.__module__)
            cls.family = cls.library
            if cls.family in FAMILIES:
                raise DeclarationError(
                    f"{cls.__module__}: a library cannot be called '{cls.family}': blocks of Keelblocks are; give the "
                    f"package another name"
                )
        elif not cls.__dict__.get("family"):
            package, _, path = cls.__module__.partition(".")
            family = path.partition(".")[0]
            if package == "blocks" and family in FAMILIES:
                cls.family = family
        cls.__signature__ = signature_of(cls.all_parameters(), cls.positional, cls.aliases)
        if "__init__" in vars(cls):
            cls.__init__ = making(cls.__init__)  # type: ignore[method-assign]
        if not abstract:
            refuse_unknown_limits(cls)
            REGISTERED[cls.type_name()] = cls

    initial_parameters: ClassVar[dict[str, Parameter]] = {}
    __signature__: ClassVar[inspect.Signature]

    @classmethod
    def chosen(cls: type[B], given: Mapping[str, Any], folder: Path, declaration: Mapping[str, Any]) -> type[B]:
        """The class that an entry of a scenario file means: by its parameters, whose paths are seen from `folder`, and
        by what it says under `declaration_keys`."""
        return cls

    def declaration_data(self) -> dict[str, Any]:
        """What a scenario file says under `declaration_keys`."""
        return {}

    @classmethod
    def type_name(cls) -> str:
        """The name in scenario files: family and class, "guidance.LineOfSight"."""
        return f"{cls.family}.{cls.__name__}" if cls.family else cls.__name__

    def __init__(self, *args: Any, **given: Any) -> None:
        if len(args) > len(self.positional):
            raise ParameterError(
                f"{type(self).__name__} takes at most {len(self.positional)} parameters without a name, not {len(args)}"
            )
        for name, value in zip(self.positional, args, strict=False):
            if name in given:
                raise ParameterError(f"{type(self).__name__}.{name} is given twice")
            given[name] = value
        written = {self.parameter_name(name): name for name in given}
        given = own_names(self.spelled_out(given), self.parameter_name, self._called())
        self._check_names(given)
        self.values, self.sources = {}, {}
        known = self.all_parameters()
        for name, value in given.items():  # a word that is misspelt before the number that is missing for it
            if known[name].item_numbers:
                known[name].read(value, f"{type(self).__name__}.{written[name]}")
        self.check_complete(given)
        for name, parameter in known.items():
            if name not in given:
                self.values[name] = parameter.read(full_default(parameter), f"{type(self).__name__}.{name}")
        self.set(**given)

    @classmethod
    def check_complete(cls, given: Collection[str]) -> None:
        """Raise ParameterError for parameters that have to be given and are not."""
        known = cls.all_parameters()
        missing = [name for name, parameter in known.items() if parameter.default is REQUIRED and name not in given]
        raise_all(
            [
                ParameterError(
                    f"{cls.__name__}.{name} is missing: {known[name].form()} is wanted"
                    f"{or_in_words(known, cls.aliases, name)}",
                    code="missing-parameter",
                    parameter=name,
                )
                for name in missing
                if owner_in_words(known, name) not in missing  # which may come with what is missing anyway
            ]
        )

    @classmethod
    def parameter_name(cls, name: str) -> str:
        """The name of a parameter that may be called by another one of its names."""
        return name if name in cls.all_parameters() else cls.aliases.get(name, name)

    @classmethod
    def all_parameters(cls) -> dict[str, Parameter]:
        """Declared parameters and the initial values of the states, in the order in which the kernel sees them."""
        return cls.parameters | cls.initial_parameters

    def _check_names(self, given: Iterable[str]) -> None:
        known = self.all_parameters()
        for name in given:
            if name not in known:
                raise ParameterError(
                    f"no parameter '{name}' on {self._called()}",
                    code="unknown-parameter",
                    wrong=name,
                    valid=(*known, *self.aliases),
                    hint=near(type(self), name).removeprefix("; "),
                    block=self.path,
                    parameter=name,
                )

    @classmethod
    def spelled_out(cls, given: Mapping[str, Any], called: str = "") -> Mapping[str, Any]:
        """Parameters each by itself, which may be given together, item by item. Raises ParameterError."""
        return spelled_out(cls.all_parameters(), cls.aliases, given, called or cls.__name__)

    def set(self, **given: Any) -> None:
        """Change parameters. All are checked first: either all are taken or none. Raises ParameterError.

        A name may be that of an element: `set(**{"sway_derivatives[Y_v]": -0.3})`.
        """
        known = self.all_parameters()
        given = own_names(self.spelled_out(given), self.parameter_name, self._called())
        given = with_elements(given, self.values, known, self._called())
        self._check_names(given)
        old = dict(self.values)
        try:
            for name, value in given.items():
                self.values[name] = known[name].read(value, f"{self._called()}.{name}")
            self.known_sizes()
            self.validate()
        except BaseException:
            self.values = old
            raise
        self.note_units(given)

    def note_units(self, given: Mapping[str, Any]) -> None:
        """Keep the units in which parameters that take any are given: a plan holds numbers in SI only."""
        known = self.all_parameters()
        units = {
            name: unit_in(value)
            for name, value in given.items()
            if known[name].unit is None and not isinstance(self.values[name], str)
        }
        if any(units.values()) or any(name in self.given_units for name in units):
            both = {**self.given_units, **units}
            self.given_units = {name: unit for name, unit in both.items() if unit}

    def validate(self) -> None:
        """Checks that concern several parameters. Override; raise ParameterError."""

    def improbable(self) -> Iterator[Problem]:
        """What is legal and improbable with these parameters, as warnings. Override, and add to it."""
        yield from improbable_values(self)

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """The units of an output that any signal may have, by those of the inputs; () where they are not known.

        Override where a block hands units on; `like` of an output says it already.
        """
        return ()

    def _called(self) -> str:
        return self.path or self.name or type(self).__name__

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """Input ports by name. Blocks with a variable number of ports override this."""
        return {n: i for n, i in self.declared_inputs.items() if i.when is None or i.when(self)}

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """Output ports by name."""
        return {n: o for n, o in self.declared_outputs.items() if o.when is None or o.when(self)}

    @property
    def states(self) -> dict[str, State]:
        """The states that this instance has, by name."""
        return {n: s for n, s in self.declared_states.items() if s.when is None or s.when(self)}

    if not TYPE_CHECKING:  # so that mypy and editors flag what is misspelt

        def __getattr__(self, name: str) -> Any:
            # Reached only by names that are no attributes: ports of blocks with a variable number of them, or mistakes.
            if name.startswith("_") or "values" not in self.__dict__:
                raise AttributeError(name)
            if name in self.declared_inputs or name in self.declared_outputs:  # what the port says of its absence
                return self.declared_port(name)
            if name in self.values:  # period, offset and initial values are parameters without a class attribute
                return self.values[name]
            if self.find_output(name) or self.find_input(name):
                return self.port(name)
            if self.aliases.get(name) in self.values:
                return self.values[self.aliases[name]]
            valid = [*self.input_ports, *self.output_ports, *self.all_parameters()]
            raise AttributeError(f"{self._called()} has no port or parameter '{name}'{did_you_mean(name, valid)}")

        def __setattr__(self, name: str, value: Any) -> None:
            known = type(self).all_parameters()
            other = self.aliases.get(name) in known and not hasattr(type(self), name)
            if name in known or other:  # those without a class attribute, too
                self.set(**{name: value})
                return
            if not (name.startswith("_") or name in self.__dict__ or hasattr(type(self), name)):
                self._check_new_attribute(name)
            super().__setattr__(name, value)

    def declared_port(self, name: str) -> PortRef:
        """A port by name, for attributes. Raises MissingPortError if it is not there with these parameters."""
        try:
            return self.port(name)
        except WiringError as problem:
            raise MissingPortError(str(problem)) from None

    def _check_new_attribute(self, name: str) -> None:
        """Raise for an attribute that nothing reads, unless the class names it or the block is being made."""
        if "_being_made" in self.__dict__ or any(name in inspect.get_annotations(cls) for cls in type(self).__mro__):
            return
        if name in self.input_ports or name in self.output_ports:
            raise AttributeError(f"{type(self).__name__}.{name} is a port: use Diagram.connect to wire it")
        own = "" if near_misses(name, self.all_parameters()) else f"; attributes of your own begin with _: '_{name}'"
        raise ParameterError(
            f"no parameter '{name}' on {self._called()}",
            code="unknown-parameter",
            wrong=name,
            valid=self.all_parameters(),
            hint=f"{near(type(self), name)}{own}".removeprefix("; "),
        )

    def __dir__(self) -> list[str]:
        """Ports, parameters, what is done with a block, and what users' own classes add; its class has the rest."""
        theirs, machinery = set(vars(self)), {"values", "sources"}
        for cls in type(self).__mro__[:-1]:
            (machinery if cls.__module__.startswith("blocks.") else theirs).update(vars(cls))
        names = theirs - machinery | {"copy", "evaluate", "name", "path", "set"}
        names.update(self.input_ports, self.output_ports, self.all_parameters(), self.calculated_parameters)
        return sorted(name for name in names if not name.startswith("_"))

    def known_sizes(self) -> dict[str, int]:
        """Sizes that follow from the parameters alone. Raises ParameterError if two parameters disagree."""
        return sizes_of(self.all_parameters(), self.values, self._called())

    def sizes_that_follow(self, sizes: Sizes) -> Sizes:
        """Sizes that follow from others, among those known so far, such as that of an output from all inputs."""
        return {}

    def kernel_sizes(self, sizes: Sizes) -> list[int]:
        """The numbers n[…] that the kernel sees, when all sizes are known."""
        return [sizes[name] for name in self.sizes]

    def work_size(self, sizes: Sizes) -> int:
        """How many derived constants the kernel's setup writes: those that are declared."""
        return sum(extent(item.shape, sizes) for item in present(self.derived_constants.values(), self))

    def crossing_count(self, sizes: Sizes) -> int:
        """How many zero-crossing functions the kernel has: those that are declared."""
        return sum(extent(item.shape, sizes) for item in present(self.crossings.values(), self))

    def derived_place(self, name: str, sizes: Sizes) -> int:
        """Where a derived constant begins among those of the kernel."""
        names = [other.name for other in present(self.derived_constants.values(), self)]
        return sum(extent(self.derived_constants[before].shape, sizes) for before in names[: names.index(name)])

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The inputs on which an output depends at the same instant."""
        declared = self.output_ports[output].feedthrough
        if isinstance(declared, tuple):
            here = self.input_ports
            return tuple(name for name in declared if name in here)
        return tuple(self.input_ports) if declared else ()

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """What an output depends on at the same instant, element by element; None: on all that it could.

        It must lie within `feedthrough`. Override where it hangs on parameters; see `blocks.model.dependence`.
        """
        return self.output_ports[output].depends

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """What the derivative of a continuous state, or the next value of a discrete one, depends on."""
        return self.states[state].depends

    def start_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """What the start value of a state depends on; None: its parameter, unless the kernel computes it."""
        return self.states[state].start

    def fault_details(self, fault: int, inputs: Mapping[str, NDArray[np.float64]]) -> str:
        """What a run that stops adds to the message of a fault of the kernel: where, and what would have been right."""
        return ""

    def structural_parameters(self) -> frozenset[str]:
        """The parameters that decide ports, states, sizes or feedthrough, and with them the layout of a plan."""
        return frozenset(
            name
            for name, parameter in self.all_parameters().items()
            if (parameter.structural(self) if callable(parameter.structural) else parameter.structural)
        )

    def resizable_sizes(self) -> dict[str, list[str]]:
        """Sizes that may shrink and grow while nothing else changes, and the parameters that they are the length of.

        That is the first dimension of parameters and nothing more: neither a dimension of a port or state nor the
        length of a structural parameter. Override where a size decides something else; for the least number see
        `least_sizes`.
        """
        signals = [port.signal for port in (*self.input_ports.values(), *self.output_ports.values())]
        signals += [state.signal for state in self.states.values()]
        taken = {dimension for signal in signals for dimension in signal.shape}
        structural = self.structural_parameters()
        found: dict[str, list[str]] = {size: [] for size in self.sizes}
        for name, parameter in self.all_parameters().items():
            if parameter.shape:
                first, *rest = parameter.shape
                taken.update(rest)
                if name in structural:
                    taken.add(first)
                elif first in found:
                    found[str(first)].append(name)
        return {size: names for size, names in found.items() if names and size not in taken}

    def state_of(self, output: str) -> str | None:
        """The continuous state that an output simply is, if this instance has it."""
        port = self.output_ports[output]
        if port.state is None:
            return None
        state = self.states.get(port.state)
        same = state is not None and not state.discrete and state.signal.shape == port.signal.shape
        return port.state if same else None

    def copy(self: B) -> B:
        """The same block with the same parameters, in no diagram."""
        other = type(self)(**self.values)
        other.sources, other.given_units = dict(self.sources), dict(self.given_units)
        other.taken_from, other.file_origin = self.taken_from, self.file_origin
        return other

    def __repr__(self) -> str:
        known = self.all_parameters()
        shown = ", ".join(f"{n}={short(v)}" for n, v in self.values.items() if differs(v, known[n]))
        return f"{type(self).__name__}({shown})"
