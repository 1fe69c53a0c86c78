"""The text of a model: parameters, connectors, states and equations around the functions of its C."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fmu import units
from fmu.description.variables import LARGEST, Limits, Variable
from fmu.modelica.documentation import info_html
from fmu.modelica.functions import Argument, Function, type_of
from fmu.modelica.graphics import icon, placements
from fmu.modelica.literals import array, boolean, comment, integer, nested, real, sizes, string, wrapped
from fmu.modelica.subject import Subject

_IN = "  "
_DISPLAYED = {"rpm": "rev/min"}
"""Units for people that Modelica has another name for."""


def model_text(subject: Subject, functions: Sequence[Function], package: str, *, picture: bool) -> str:
    """The class of a model of a package. picture: whether its drawing stands in the resources."""
    model = subject.model
    address = f"modelica://{package}/Resources/Images/{subject.name}.svg" if picture else ""
    parts = [
        f"model {subject.name}{comment(model.description)}\n",
        *(_parameter(subject, v) for v in subject.parameters),
        *_start_time(subject),
        *_folder(subject, package),
        *_connectors(subject),
        *_states(subject),
        *_protected(subject, functions),
        *(_initial_equations(subject, functions) if subject.by_tool else ()),
        "equation\n",
        *(_assertion(subject, v) for v in subject.parameters if _excludes(v.limits)),
        *(_of_tool(subject, functions) if subject.by_tool else _of_steps(subject, functions)),
        f"  annotation(\n    {icon(model.drawing, '    ')},\n",
        f"    Documentation(info={string(info_html(subject, address))}),\n",
        f"    experiment({_experiment(subject)}));\n",
        f"end {subject.name};\n",
    ]
    return "".join(parts)


def _experiment(subject: Subject) -> str:
    settings = subject.model.settings
    found = {"StartTime": settings.start, "StopTime": settings.end, "Tolerance": 1e-6, "Interval": settings.step}
    return ", ".join(f"{name}={real(value)}" for name, value in found.items() if math.isfinite(value))


def _parameter(subject: Subject, variable: Variable) -> str:
    assert variable.start is not None
    shape, values = variable.place.shape, [float(value) for value in variable.start]
    if variable.choices:
        kind = type_of(variable)
        value = array(values, shape, lambda number: f"{kind}.{variable.choices[int(number) - 1]}")
    else:
        written = {"Boolean": boolean, "Integer": integer}.get(variable.type, real)
        value = array(values, shape, written)
    limits = [*_limits(variable)] if variable.type in ("Real", "Integer") else []
    attributes = _attributes([*_units(variable), *limits])
    name = f"{subject.called(variable)}{sizes(shape)}{attributes}"
    tab = "" if variable.leaf is None or variable.name == variable.member else variable.leaf.name
    dialog = f" annotation(Dialog(tab={string(tab)}))" if tab else ""
    about = comment(_about(variable))
    return wrapped(f"parameter {type_of(variable)} {name} = {value}{about}{dialog};", _IN)


def _limits(variable: Variable) -> Iterator[str]:
    limits, each = variable.limits, "each " if variable.place.shape else ""
    written = integer if variable.type == "Integer" else real
    if limits.low > -LARGEST:
        yield f"{each}min={written(limits.low)}"
    if limits.high < LARGEST:
        yield f"{each}max={written(limits.high)}"


def _excludes(limits: Limits) -> bool:
    return (limits.above and limits.low > -LARGEST) or (limits.below and limits.high < LARGEST)


def _assertion(subject: Subject, variable: Variable) -> str:
    """What `min` and `max` cannot say: that the limit itself is excluded."""
    limits, name = variable.limits, subject.called(variable)
    least, most = (f"min({name})", f"max({name})") if variable.place.shape else (name, name)
    lines = ""
    if limits.above and limits.low > -LARGEST:
        told = string(f"{variable.name} must be > {limits.low:g}")
        lines += wrapped(f"assert({least} > {real(limits.low)}, {told});", _IN)
    if limits.below and limits.high < LARGEST:
        told = string(f"{variable.name} must be < {limits.high:g}")
        lines += wrapped(f"assert({most} < {real(limits.high)}, {told});", _IN)
    return lines


def _units(variable: Variable) -> Iterator[str]:
    """`unit` and `displayUnit` of a variable, for each element where they differ."""
    if variable.type != "Real":
        return
    each = "each " if variable.place.shape else ""
    of_elements = [variable.unit(i) for i in range(variable.place.count)]
    if len(set(of_elements)) == 1:
        if of_elements[0] is not None:
            unit = units.unit(of_elements[0])
            if unit.rooted:
                return
            yield f"{each}unit={string(unit.name)}"
            if unit.preferred:
                yield f"{each}displayUnit={string(_DISPLAYED.get(unit.preferred, unit.preferred))}"
        return
    found = [units.unit(text or "1") for text in of_elements]
    yield f"unit={nested([string(unit.name) for unit in found], variable.place.shape)}"
    if any(unit.preferred for unit in found):
        shown = [string(_DISPLAYED.get(unit.preferred or "", unit.preferred or unit.name)) for unit in found]
        yield f"displayUnit={nested(shown, variable.place.shape)}"


def _attributes(found: Iterable[str]) -> str:
    inside = ", ".join(found)
    return f"({inside})" if inside else ""


def _about(variable: Variable) -> str:
    """Its description, with what its elements are."""
    parts = [variable.place.doc]
    if variable.labels:
        parts.append(", ".join(variable.labels))
    text = "; ".join(part for part in parts if part)
    return f"{text} ({variable.frame})" if variable.frame and text else text


def _start_time(subject: Subject) -> Iterator[str]:
    if subject.by_tool:
        return
    start, period = subject.free("startTime"), subject.free("samplePeriod")
    settings = subject.model.settings
    yield wrapped(f'parameter Real {start}(unit="s") = {real(settings.start)} "When the first sample is taken";', _IN)
    step = "Between values that are exchanged" if subject.files else "Step of the solver"
    yield wrapped(f'final constant Real {period}(unit="s") = {real(settings.step)} "{step}";', _IN)


def _folder(subject: Subject, package: str) -> Iterator[str]:
    if subject.files:
        where = f'Modelica.Utilities.Files.loadResource("modelica://{package}/Resources/FMUs/{subject.name}")'
        yield wrapped(f'parameter String {subject.free("folderOfFMU")} = {where} "Where the FMU is unpacked";', _IN)


def _connectors(subject: Subject) -> Iterator[str]:
    for those, kind, side in ((subject.inputs, "RealInput", -1), (subject.outputs, "RealOutput", 1)):
        for variable, where in zip(those, placements(len(those), side), strict=True):
            given = list(_units(variable))
            if side < 0 and variable.start is not None and any(variable.start):
                given.append(f"start={array([float(value) for value in variable.start], variable.place.shape)}")
            if subject.by_tool and variable.state:
                given += _start_values(subject, variable)
            name = f"{subject.called(variable)}{sizes(variable.place.shape)}{_attributes(given)}"
            about = comment(_about(variable))
            yield wrapped(f"Interfaces.{kind} {name}{about} annotation({where});", _IN)


def _states(subject: Subject) -> Iterator[str]:
    """States that are no outputs."""
    if subject.by_tool:
        for variable in subject.states:
            if variable.causality != "output":
                given = [*_units(variable), *_start_values(subject, variable)]
                name = f"{subject.called(variable)}{sizes(variable.place.shape)}{_attributes(given)}"
                yield wrapped(f"Real {name}{comment(_about(variable))};", _IN)


def _start_values(subject: Subject, state: Variable) -> list[str]:
    start = subject.start_of(state)
    each = "each " if state.place.shape else ""
    nominal = state.place.nominals
    found = [] if (nominal == 1.0).all() else [f"nominal={array(nominal.tolist(), state.place.shape)}"]
    if start is None:
        return found
    value = subject.called(start)
    if start.place.shape != state.place.shape:
        value = f"{value}[1]" if start.place.shape else f"{{{value}}}"
    return [f"start={value}", f"{each}fixed=true", *found]


def _protected(subject: Subject, functions: Sequence[Function]) -> Iterator[str]:
    names = ", ".join(argument.name for argument in functions[0].inputs)
    yield "protected\n"
    plan = subject.free("plan")
    yield wrapped(f"Internal.{subject.name}.Plan {plan} = Internal.{subject.name}.Plan({names});", _IN)
    for function in functions:
        if function.kind in ("rates", "take", "stop"):
            for argument in function.outputs:
                yield f"{_IN}Real {argument.name}{sizes(argument.shape)};\n"


def _call(subject: Subject, function: Function, left: Sequence[Argument] | None = None) -> str:
    names = [subject.free("plan"), "time", *(argument.name for argument in function.inputs)]
    outputs = [argument.name for argument in (left or function.outputs)]
    target = outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
    return f"{target} = Internal.{subject.name}.{function.name}({', '.join(names)});"


def _initial_equations(subject: Subject, functions: Sequence[Function]) -> Iterator[str]:
    for function in functions:
        if function.kind == "start":
            yield "initial equation\n"
            yield wrapped(_call(subject, function), _IN)


def _of_tool(subject: Subject, functions: Sequence[Function]) -> Iterator[str]:
    for function in functions:
        if function.kind in ("rates", "outputs", "stop"):
            yield wrapped(_call(subject, function), _IN)
        if function.kind == "rates":
            for state, rate in zip(subject.states, function.outputs, strict=True):
                yield f"{_IN}der({subject.called(state)}) = {rate.name};\n"
            for output, state in subject.copies.items():
                if output is not state:
                    yield f"{_IN}{subject.called(output)} = {subject.called(state)};\n"
        if function.kind == "stop":
            yield from _terminate(subject, function)


def _of_steps(subject: Subject, functions: Sequence[Function]) -> Iterator[str]:
    start, period = subject.free("startTime"), subject.free("samplePeriod")
    yield f"{_IN}when {{initial(), sample({start}, {period})}} then\n"
    for function in functions:
        if function.kind in ("outputs", "take"):
            yield wrapped(_call(subject, function), f"{_IN}  ")
    yield f"{_IN}end when;\n"
    if subject.layout.structure.header["stop"] >= 0:
        yield from _terminate(subject, functions[-1])


def _terminate(subject: Subject, function: Function) -> Iterator[str]:
    signal = function.outputs[0].name
    told = string(f"{subject.model.name}: the signal that ends a run is on")
    yield f"{_IN}when {signal} > 0.5 then\n{_IN}  terminate({told});\n{_IN}end when;\n"
