"""The external functions of a model: what Modelica declares, and what C has for it.

Arrays go row by row, as the specification has them: what C is given stands as the engine wants it.

Source: Modelica Language Specification 3.6, ch. 12.9.1 (types of arguments) and 12.9.7 (external objects).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from blocks.model.wiring import width
from fmu.description.variables import Variable
from fmu.modelica.literals import comment, sizes, wrapped
from fmu.modelica.subject import Subject

Kind = Literal["constructor", "start", "rates", "outputs", "take", "stop"]

_NOTHING = ' annotation(Include="#include <stddef.h>")'
"""For functions that another one includes the C of: without any, OpenModelica's compiler would declare them anew."""
_C_TYPES = {"Real": "double", "Integer": "int", "Boolean": "int", "Enumeration": "int", "String": "const char *"}


@dataclass(frozen=True)
class Argument:
    """A value that goes in or out. place: where it stands in the plan's values, -1 if it does not."""

    name: str
    place: int
    shape: tuple[int, ...]
    type: str = "Real"
    modelica_type: str = "Real"

    @property
    def count(self) -> int:
        """How many numbers it is."""
        return width(self.shape)

    def in_c(self, *, out: bool) -> str:
        """Its declaration as a parameter in C."""
        own = _C_TYPES[self.type]
        if out:
            return f"{own} *{self.name}"
        return f"const {own} *{self.name}" if self.shape else f"{own} {self.name}".replace("* ", "*")


@dataclass(frozen=True)
class Function:
    """An external function. name: in Modelica; c: in C; doc: what it does; complete: whether it has all inputs."""

    kind: Kind
    name: str
    c: str
    doc: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    complete: bool = True

    @property
    def c_head(self) -> str:
        """Its head in C."""
        ahead = ["void *plan", "double t"] if self.kind != "constructor" else []
        those = [argument.in_c(out=False) for argument in self.inputs]
        those += [argument.in_c(out=True) for argument in self.outputs if self.returned is None]
        kind = "void *" if self.kind == "constructor" else "double " if self.returned else "void "
        return f"{kind}{self.c}({', '.join([*ahead, *those]) or 'void'})"

    @property
    def returned(self) -> Argument | None:
        """What is given back as the value of the function: a number by itself."""
        return self.outputs[0] if self.kind in ("take", "stop") else None


def functions_of(subject: Subject) -> list[Function]:
    """The functions of a model, the constructor first."""
    found = [_constructor(subject)]
    if subject.by_tool:
        found += _of_tool(subject)
    else:
        found += _of_steps(subject)
    return found


def _constructor(subject: Subject) -> Function:
    parameters = tuple(_argument(subject, v) for v in subject.parameters)
    start = [] if subject.by_tool else [Argument(subject.free("startTime"), -1, ())]
    if subject.files:
        start.append(Argument(subject.free("folderOfFMU"), -1, (), "String", "String"))
    return Function("constructor", "constructor", f"{subject.c}_new", "", (*start, *parameters), ())


def _of_tool(subject: Subject) -> Iterable[Function]:
    states = _arguments(subject, subject.states)
    inputs = _arguments(subject, subject.inputs)
    computed = tuple(_argument(subject, v) for v in subject.states if subject.start_of(v) is None)
    if computed:
        needed = _arguments(subject, subject.inputs_at_start)
        yield Function("start", "start", f"{subject.c}_start", "Initial states.", needed, computed)
    if states:
        rates = tuple(_argument(subject, v, rate=True) for v in subject.states)
        yield Function("rates", "rates", f"{subject.c}_rates", "Derivatives of the states.", (*states, *inputs), rates)
    yield from _groups(subject, states)
    if subject.layout.structure.header["stop"] >= 0:
        signal = (Argument(subject.free("stopSignal"), -1, ()),)
        doc = "The signal that ends a run where it exceeds 0.5."
        yield Function("stop", "stop", f"{subject.c}_stop", doc, (*states, *inputs), signal)


def _of_steps(subject: Subject) -> Iterable[Function]:
    yield from _groups(subject, ())
    signal = (Argument(subject.free("stopSignal"), -1, ()),)
    doc = "Take the inputs of this sample; 1 where the signal that ends a run is on, else 0."
    yield Function("take", "take", f"{subject.c}_take", doc, _arguments(subject, subject.inputs), signal)


def _groups(subject: Subject, states: tuple[Argument, ...]) -> Iterable[Function]:
    several = len(subject.groups) > 1
    for number, group in enumerate(subject.groups, 1):
        name = f"outputs{number}" if several else "outputs"
        on = ", ".join(subject.called(v) for v in group.inputs)
        doc = f"Outputs that depend on {on}." if on else "Outputs that depend on no input."
        yield Function(
            "outputs", name, f"{subject.c}_{name}", doc, (*states, *_arguments(subject, group.inputs)),
            _arguments(subject, group.outputs), complete=len(group.inputs) == len(subject.inputs),
        )  # fmt: skip


def _arguments(subject: Subject, variables: Iterable[Variable]) -> tuple[Argument, ...]:
    return tuple(_argument(subject, v) for v in variables)


def _argument(subject: Subject, variable: Variable, *, rate: bool = False) -> Argument:
    place = variable.place
    name = subject.called(variable)
    if rate:
        name = subject.free(f"der_{name}")
    first = place.first + (subject.layout.plan.derivative_offset if rate else 0)
    return Argument(name, first, place.shape, variable.type, type_of(variable))


def type_of(variable: Variable) -> str:
    """Its type in Modelica, as models of the package name it."""
    return f"Types.{type_name(variable)}" if variable.choices else variable.type


def type_name(variable: Variable) -> str:
    """Of an enumeration the name of its type: of `thrust.PropellerThrusters.response` PropellerThrustersResponse."""
    _, _, own = variable.type_name.partition(".")
    return "".join(word[:1].upper() + word[1:] for word in own.split("."))


def declared(subject: Subject, functions: Iterable[Function], include: str, *, each: bool = True) -> str:
    """The package of a model's functions, `Internal.<name>`: its external object and what is called with it.

    include: the annotation that says what C is included; each: whether each function has it, else the constructor
    alone, which is always there, and compilers include what any function says.
    """
    parts = []
    for function in functions:
        if function.kind == "constructor":
            parts.append(_object(subject, function, include, shared=each))
        else:
            parts.append(_function(function, include if each else _NOTHING, impure=not subject.by_tool))
    body = "\n".join(parts)
    return f'package {subject.name} "What {subject.name} calls"\n{body}end {subject.name};\n'


def _object(subject: Subject, function: Function, include: str, *, shared: bool) -> str:
    inputs = "".join(
        wrapped(f"input {argument.modelica_type} {argument.name}{sizes(argument.shape)};", " " * 6)
        for argument in function.inputs
    )
    names = ", ".join(argument.name for argument in function.inputs)
    plan = subject.free("plan")
    made = wrapped(f'external "C" {plan} = {function.c}({names}){include};', " " * 6)
    freed = wrapped(f'external "C" {subject.c}_free(plan){include if shared else _NOTHING};', " " * 6)
    return (
        '  class Plan "A plan with its parameters"\n    extends ExternalObject;\n'
        f"    function constructor\n{inputs}      output Plan {plan};\n{made}    end constructor;\n"
        f"    function destructor\n      input Plan plan;\n{freed}    end destructor;\n  end Plan;\n"
    )


def _function(function: Function, include: str, *, impure: bool) -> str:
    inputs = "".join(
        wrapped(f"input {argument.modelica_type} {argument.name}{sizes(argument.shape)};", " " * 4)
        for argument in function.inputs
    )
    outputs = "".join(
        wrapped(f"output Real {argument.name}{sizes(argument.shape)};", " " * 4) for argument in function.outputs
    )
    given = [argument.name for argument in function.inputs]
    back = function.returned
    given += [] if back else [argument.name for argument in function.outputs]
    left = f"{back.name} = " if back else ""
    names = ", ".join(["keelblocksPlan", "keelblocksTime", *given])
    called = wrapped(f'external "C" {left}{function.c}({names}){include};', " " * 4)
    return (
        f"  {'impure' if impure else 'pure'} function {function.name}{comment(function.doc)}\n"
        f"    input Plan keelblocksPlan;\n    input Real keelblocksTime;\n{inputs}{outputs}{called}"
        f"  end {function.name};\n"
    )
