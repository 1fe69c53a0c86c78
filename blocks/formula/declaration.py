"""What a formula block declares: from what its author wrote to names, shapes and units, in a form to be compared."""

from __future__ import annotations

import keyword
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from blocks import signal
from blocks.errors import KeelblocksError, ParameterError, did_you_mean, near_misses, nearest, raise_all, shorten, shown
from blocks.formula.functions import CONSTANTS, FUNCTIONS, TIME
from blocks.formula.machine import MOST_NODES
from blocks.formula.shapes import words
from blocks.formula.tree import Shape, Symbol
from blocks.model.declare import Parameter
from blocks.signal import Signal
from blocks.unit_grammar import UnitSyntaxError, split
from blocks.unit_products import product
from blocks.units import same

Text = str | tuple["Text", ...]
"""An expression, or a list of them: a vector, or rows of a matrix."""

KEYS = ("outputs", "inputs", "let", "states", "update", "units", "descriptions")
"""What says in a scenario file what a formula is, beside `parameters`."""

SAMPLING = ("period", "offset")
"""Parameters of every sampled block, which equations may use."""

SIGNALS: Mapping[str, Signal] = {
    kind.name: kind
    for kind in vars(signal).values()
    if isinstance(kind, Signal) and all(isinstance(size, int) for size in kind.shape) and kind.unit is not None
}
"""Types of signals that can be named in place of a unit, such as BodyVelocity."""


@dataclass(frozen=True)
class Quantity:
    """A name with what it is: of an input, a parameter or a state."""

    name: str
    signal: Signal
    doc: str = ""
    default: tuple[float, ...] | float | None = None
    """Of an input that need not be connected."""


@dataclass(frozen=True)
class Declaration:
    """All that a formula block declares; two blocks with equal ones are of one class."""

    inputs: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    states: tuple[Quantity, ...]
    discrete: tuple[Quantity, ...]
    let: tuple[tuple[str, Text], ...]
    outputs: tuple[tuple[str, Text], ...]
    derivatives: tuple[tuple[str, Text], ...]
    updates: tuple[tuple[str, Text], ...]
    signals: tuple[tuple[str, Signal], ...]
    """What outputs and states are said to be, by name."""
    descriptions: tuple[tuple[str, str], ...]
    sampled: bool

    def symbols(self) -> dict[str, Symbol]:
        """What names in the equations stand for."""
        found = [Symbol(TIME, "time", (), "s")]
        sampling = [Quantity(name, Signal("Time", (), "s")) for name in SAMPLING] if self.sampled else []
        for role, quantities in (
            ("input", self.inputs),
            ("parameter", (*self.parameters, *sampling)),
            ("state", self.states),
            ("discrete state", self.discrete),
        ):
            found += [
                Symbol(q.name, role, fixed(q.signal.shape), q.signal.unit, q.signal.labels)  # type: ignore[arg-type]
                for q in quantities
            ]
        return {symbol.name: symbol for symbol in found}


@dataclass(frozen=True, eq=False)
class Written:
    """A declaration as its author wrote it, for files; equal to one that is written alike."""

    outputs: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    let: Mapping[str, Any] = field(default_factory=dict)
    states: Mapping[str, Any] = field(default_factory=dict)
    update: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, Any] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def as_data(self) -> dict[str, Any]:
        """The sections that say something, as YAML has them."""
        return {item.name: dict(getattr(self, item.name)) for item in fields(self) if getattr(self, item.name)}


def declared(written: Written, given: Mapping[str, Any], taken: Collection[str]) -> Declaration:
    """The declaration of a formula. Raises ParameterError for all that is wrong with it.

    given: parameters with the values that a block gets; those of sampling and of initial states among them.
    taken: names that no parameter can have.
    """
    return _Reader(written, given, taken).read()


class _Reader:
    def __init__(self, written: Written, given: Mapping[str, Any], taken: Collection[str]) -> None:
        self.written = written
        self.given = given
        self.taken = taken
        self.faults: list[KeelblocksError] = []
        self.roles: dict[str, str] = {}

    def read(self) -> Declaration:
        written, given = self.written, self.given
        for key in KEYS:
            if not isinstance(getattr(written, key), Mapping):
                raise ParameterError(
                    f"{key} must be a mapping of names, such as {_EXAMPLES[key]}, not {shown(getattr(written, key))}"
                )
        sampled = "period" in given
        self.refuse_mixtures(sampled)
        outputs, let = self.texts("outputs"), self.texts("let")
        derivatives, updates = self.texts("states"), self.texts("update")
        if not (outputs or self.faults):
            raise ParameterError(f"a formula needs outputs, such as {_EXAMPLES['outputs']}")
        stated = {name: self.stated(name, form) for name, form in written.units.items()}
        inputs = [self.input(name, form) for name, form in written.inputs.items()]
        own = [*written.states, *written.update]
        initial = {f"initial_{name}" for name in own}
        parameters = [
            self.parameter(name, value, stated.get(name))
            for name, value in given.items()
            if name not in initial and name not in SAMPLING
        ]
        states = [self.state(name, text, stated.get(name)) for name, text in derivatives]
        discrete = [self.state(name, text, stated.get(name)) for name, text in updates]
        self.check_names(outputs, let, inputs, parameters, [*states, *discrete])
        known = [*written.outputs, *own, *given]
        self.refuse_unknown("units", self.without_own_units(), known)
        self.refuse_unknown("descriptions", written.descriptions, [*known, *written.inputs, *written.let])
        raise_all(self.faults)
        described = [(name, str(text)) for name, text in written.descriptions.items()]
        named = {*written.outputs, *own}
        return Declaration(
            tuple(inputs), tuple(parameters), tuple(states), tuple(discrete), let, outputs, derivatives, updates,
            tuple((name, kind) for name, kind in stated.items() if kind is not None and name in named),
            tuple(described), sampled,
        )  # fmt: skip

    def fault(self, message: str, **facts: Any) -> None:
        self.faults.append(ParameterError(message, **facts))

    def refuse_mixtures(self, sampled: bool) -> None:
        if self.written.update and not sampled:
            self.fault("update gives new values at each sample, so the formula needs a period, such as period: 0.1 s")
        if self.written.states and sampled:
            self.fault(
                "states have derivatives, and a formula with a period has none: give new values under update, or "
                "leave the period out"
            )
        if "offset" in self.given and not sampled:
            self.fault("offset is of use with a period only")

    def refuse_unknown(self, section: str, names: Collection[str], known: Collection[str]) -> None:
        for name in names:
            if name not in known:
                self.fault(f"{section} names '{name}', which the formula does not have{did_you_mean(name, known)}")

    def without_own_units(self) -> list[str]:
        """The names under `units`, without those whose unit stands elsewhere, which are refused here."""
        found = []
        for name in self.written.units:
            if name in self.written.inputs:
                self.fault(f"units.{name}: '{name}' is an input, whose unit stands at inputs.{name}")
            elif name in self.written.let:
                self.fault(f"units.{name}: '{name}' is a line of let, whose unit follows from its text; leave it out")
            else:
                found.append(name)
        return found

    def texts(self, section: str) -> tuple[tuple[str, Text], ...]:
        found = []
        for name, given in getattr(self.written, section).items():
            text = _text(given)
            if text is None:
                self.fault(f"{section}.{name} must be an expression, or a list of them, not {shown(given)}")
            else:
                found.append((name, text))
        return tuple(found)

    def check_names(
        self,
        outputs: tuple[tuple[str, Text], ...],
        let: tuple[tuple[str, Text], ...],
        *groups: list[Quantity],
    ) -> None:
        seen: dict[str, str] = {}
        named = [(section, name) for section, items in (("let", let),) for name, _ in items]
        named += [
            (role, q.name)
            for role, group in zip(("inputs", "parameters", "states"), groups, strict=True)
            for q in group
        ]
        for role, name in named:
            if name in seen:
                self.fault(f"'{name}' is one of {seen[name]} and one of {role}: an equation could mean either")
            seen[name] = role
            self.check_name(role, name)
        for name, _ in outputs:
            self.check_name("outputs", name)
            if seen.get(name) == "inputs":
                self.fault(f"'{name}' is an input and an output: give one of them another name")

    def check_name(self, role: str, name: Any) -> None:
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            self.fault(f"{role}: {shown(name)} cannot be a name: letters, digits and _ are wanted, no digit first")
        elif keyword.iskeyword(name) or name in _WORDS:
            meaning = "the time" if name == TIME else "a word of the language of formulas"
            self.fault(f"{role}: '{name}' is {meaning}, so it needs another name")
        elif role == "parameters" and name.startswith("initial_"):
            states = [f"initial_{state}" for state in (*self.written.states, *self.written.update)]
            self.fault(f"parameters: there is no state '{name.removeprefix('initial_')}'{did_you_mean(name, states)}")
        elif name in _ARGUMENTS.get(role, ("self",)) or (role == "parameters" and name in self.taken):
            self.fault(f"{role}: every block has something else called '{name}', so it needs another name")

    def stated(self, name: str, form: Any) -> Signal | None:
        """What `units` says of a name."""
        return self.kind(f"units.{name}", form)

    def input(self, name: str, form: Any) -> Quantity:
        doc = self.written.descriptions.get(name, "")
        default: Any = None
        if isinstance(form, Mapping):
            self.refuse_keys(f"inputs.{name}", form, ("unit", "default"))
            default, form = form.get("default"), form.get("unit", "")
        kind = self.kind(f"inputs.{name}", form)
        if default is not None:
            default = self.default(f"inputs.{name}.default", default, kind or _ANY)
        return Quantity(name, kind or _ANY, doc, default)

    def default(self, where: str, given: Any, kind: Signal) -> Any:
        """Values that fit the input, or one for all of its elements; in SI."""
        one = kind.shape and not isinstance(given, (list, tuple, np.ndarray))
        unit = kind.unit
        if one and isinstance(unit, tuple) and len(set(unit)) == 1:
            unit = unit[0]
        try:
            found = Parameter(shape=() if one else kind.shape, unit=unit).read(given, where)
        except ParameterError as problem:
            self.faults.append(problem)
            return None
        return _frozen(np.asarray(found).tolist())

    def refuse_keys(self, where: str, form: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in form:
            if key not in known:
                self.fault(f"{where} has no '{key}'{did_you_mean(str(key), known)}")

    def parameter(self, name: str, value: Any, stated: Signal | None) -> Quantity:
        doc = self.written.descriptions.get(name, "")
        try:
            unit, shape = form_of(value)
        except ParameterError as problem:
            self.fault(f"parameters.{name}: {problem}")
            return Quantity(name, _ANY, doc)
        if stated is not None and self.fits(name, shape, stated, name):
            shape = shape or fixed(stated.shape)
            unit = stated.unit
        return Quantity(name, _signal(shape, unit or "1", stated), doc)

    def state(self, name: str, text: Text, stated: Signal | None) -> Quantity:
        """Its shape is that of the initial value, of what `units` says, or of the list of its equations."""
        doc = self.written.descriptions.get(name, "")
        unit: Any = None
        shape: Shape = ()
        value = self.given.get(f"initial_{name}")
        if value is not None:
            try:
                unit, shape = form_of(value)
            except ParameterError as problem:
                self.fault(f"initial_{name}: {problem}")
        if stated is not None and self.fits(name, shape, stated, f"initial_{name}"):
            shape = shape or fixed(stated.shape)
            unit = stated.unit
        if not shape and isinstance(text, tuple):
            shape = np.shape(np.empty((len(text), *(() if isinstance(text[0], str) else (len(text[0]),)))))
        return Quantity(name, _signal(shape, unit, stated), doc)

    def fits(self, name: str, shape: Shape, stated: Signal, value: str) -> bool:
        """Whether what `units` says goes with the shape of a value."""
        wanted = fixed(stated.shape)
        if shape and wanted and shape != wanted:
            self.fault(f"units.{name} says {words(wanted)}, and {value} is {words(shape)}")
            return False
        return True

    def kind(self, where: str, form: Any) -> Signal | None:
        """A signal by its name, its unit ("m/s"), unit and shape ("m/s [3]"), or the units of its elements."""
        if isinstance(form, (list, tuple)):
            units = [self.unit(f"{where}[{i}]", item) for i, item in enumerate(form)]
            if not units:
                self.fault(f"{where} is an empty list; a unit for each element is wanted")
            return Signal("Signal", (len(units),), tuple(unit or "1" for unit in units)) if units else None
        if form is None:
            form = ""
        if not isinstance(form, str):
            self.fault(f"{where} must be a unit, such as 'm/s', or a type of signal, not {shown(form)}")
            return None
        if form in SIGNALS:
            return SIGNALS[form]
        unit, bracket, rest = form.partition("[")
        shape: tuple[int, ...] = ()
        if bracket:
            sizes = rest.strip().removesuffix("]").replace("x", ",").replace("×", ",").split(",")
            if not rest.strip().endswith("]") or not all(map(_is_size, sizes)):
                self.fault(f"{where}: '{shorten(form, 60)}' has no shape such as [3] or [3, 3]")
                return None
            shape = tuple(map(int, sizes))
            if math.prod(shape) > MOST_NODES:
                self.fault(f"{where} has {math.prod(shape)} elements, and {MOST_NODES} is the most")
                return None
        found = self.unit(where, unit.strip())
        return Signal("Signal", shape, found)

    def unit(self, where: str, text: Any) -> str | None:
        """A unit in SI; None of "", which is any."""
        if not isinstance(text, str):
            self.fault(f"{where} must be a unit, such as 'm/s', not {shown(text)}")
            return None
        if not text:
            return None
        try:
            found = in_si(text)
            if found != text:
                self.fault(f"{where}: signals are in SI, in {found} and not in {text}", code="wrong-unit", wrong=text)
            return found
        except ParameterError as problem:
            kind = nearest(text, near_misses(text, SIGNALS))
            said = f"'{text}' is no unit; did you mean '{kind}'?" if kind else problem
            self.fault(f"{where}: {said}")
            return None


_WORDS = {TIME, *CONSTANTS, *(name for name, function in FUNCTIONS.items() if function.called)}
_ARGUMENTS = {"inputs": ("self", "states")}
"""Other arguments where values are given by name, as in `evaluate(states={…}, u=2.0)`."""
_ANY = Signal("Any", (), None)
_DEEPEST, _LONGEST = 8, 1000
"""Lists one in the other, and digits of a whole number."""
_EXAMPLES = {
    "outputs": "outputs: {force: k*u*abs(u)}",
    "inputs": "inputs: {u: m/s}",
    "let": "let: {q: u*abs(u)}",
    "states": "states: {x: -a*x + b*u}",
    "update": "update: {n: n + 1}",
    "units": "units: {force: N}",
    "descriptions": "descriptions: {force: drag along x}",
}


def in_si(unit: str) -> str:
    """The unit of SI of a unit: itself, as it is written, if it is one. Raises ParameterError if it is no unit."""
    found = product((unit, 1))
    return unit if same(unit, found) else found


def form_of(value: Any, depth: int = 0) -> tuple[str | tuple[str, ...] | None, Shape]:
    """Unit in SI and shape of the value of a parameter; no unit of plain numbers. Raises ParameterError."""
    if depth > _DEEPEST:
        raise ParameterError(f"lists stand at most {_DEEPEST} deep one in the other")
    if isinstance(value, str):
        try:
            written = split(value)[1]
        except UnitSyntaxError as problem:
            raise ParameterError(str(problem)) from None
        return (in_si(written) if written else None), ()
    if isinstance(value, Mapping) and set(value) == {"diag"}:
        unit, shape = form_of(value["diag"], depth + 1)
        return (unit if isinstance(unit, str) else None), (*shape, *shape)
    if isinstance(value, (list, tuple)) and value:
        parts = [form_of(item, depth + 1) for item in value]
        shapes = {shape for _, shape in parts}
        if len(shapes) > 1:
            raise ParameterError(f"{shown(value)} has rows of different lengths")
        flat = [unit for part, shape in parts for unit in ((part,) if not isinstance(part, tuple) else part)]
        shape = (len(value), *shapes.pop())
        if all(unit is None for unit in flat):
            return None, shape
        units = tuple(unit or "1" for unit in flat)
        return (units[0] if len(set(units)) == 1 else units), shape
    if isinstance(value, np.ndarray):
        return None, value.shape
    return None, ()


def _signal(shape: Shape, unit: Any, stated: Signal | None) -> Signal:
    if stated is not None and stated.shape == shape:
        return stated
    return Signal("Signal", shape, unit)


def fixed(shape: tuple[Any, ...]) -> Shape:
    """A shape without names of sizes."""
    return tuple(int(size) for size in shape)


def _is_size(text: str) -> bool:
    return text.strip().isdecimal() and len(text.strip()) <= 9 and int(text) > 0


def _text(given: Any, depth: int = 0) -> Text | None:
    """An expression or a list of them; None if it is none."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, (int, float)) and abs(given) < 10**_LONGEST:
        return repr(given)
    if isinstance(given, str):
        return given
    if isinstance(given, (list, tuple)) and given and depth < _DEEPEST:
        parts = [_text(item, depth + 1) for item in given]
        return None if None in parts else tuple(parts)  # type: ignore[arg-type]
    return None


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
