"""What an FMU shows of itself as a block: ports, parameters, and where their values stand."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.model.declare import Input, Output, Parameter
from blocks.signal import Signal
from fmu.foreign.description import Description
from fmu.foreign.parameters import Setting, setting
from fmu.foreign.spec import Interface, VariableSpec
from fmu.foreign.variables import Variable, is_negated, variables
from fmu.identifiers import legal_name


@dataclass
class Face:
    """Ports and parameters of an FMU by their names as a block, which are its variables' names as identifiers."""

    inputs: dict[str, Input] = field(default_factory=dict)
    outputs: dict[str, Output] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    sources: dict[str, Variable] = field(default_factory=dict)
    """The variable of each port."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Names of parameters by the names of the FMU's variables."""
    port_names: dict[str, str] = field(default_factory=dict)
    """Names of ports by the names of the FMU's variables."""
    input_specs: tuple[VariableSpec, ...] = ()
    output_specs: tuple[VariableSpec, ...] = ()
    fixed: tuple[str, ...] = ()
    """Inputs that are parameters of the FMU: what they get when a run begins holds for it."""
    starts: dict[str, str] = field(default_factory=dict)
    """The parameters with the start values of inputs, by the names of these."""
    left_out: list[str] = field(default_factory=list)
    """Variables that have no place in a block of numbers: text and binary inputs and outputs, clocks."""

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name."""
        return {name: setting.parameter for name, setting in self.settings.items()}


def face(
    description: Description,
    interface: Interface,
    taken: Iterable[str],
    sizes: dict[str, int],
    more: Iterable[str] = (),
) -> Face:
    """The ports and parameters of an FMU. `taken` are names that parameters must not have.

    `more` are further variables that become ports: parameters are inputs then, all others outputs. Raises
    ParameterError for those that the FMU does not have or that cannot be ports.

    An output has direct feedthrough from the inputs that the model structure names. Where it names none at all,
    outputs of Model Exchange depend on every input, and those of Co-Simulation, which FMI wants to be read after a
    step and not after an input was set, on none.
    """
    made = Face()
    names = _Names()
    direct = _dependencies(description, interface)
    every = variables(description.model, sizes, str(description.package.path))
    chosen = _chosen(every, more, str(description.package.path))
    fixed = {v.name for v in chosen if v.first.causality == "parameter"}
    for variable in every:
        if variable.first.causality == "input" or variable.name in fixed:
            _add_input(made, names, variable)
    made.fixed = tuple(name for name, variable in ((n, made.sources[n]) for n in made.inputs) if variable.name in fixed)
    for variable in every:
        if variable.first.causality == "output" or (variable in chosen and variable.name not in fixed):
            _add_output(made, names, variable, direct)
    names.taken |= set(taken)  # ports are no attributes of the block, so they may be called like one
    for variable in every:
        _add_setting(made, names, variable)
    immediate = {name for output in made.outputs.values() for name in output.feedthrough}  # type: ignore[union-attr]
    made.input_specs = _specs(((n, made.sources[n]) for n in made.inputs), immediate, made.fixed)
    made.output_specs = _specs(((n, made.sources[n]) for n in made.outputs), set())
    return made


def _chosen(every: list[Variable], names: Iterable[str], file: str) -> list[Variable]:
    """The variables of these names, or that have them as elements."""
    found: list[Variable] = []
    known = {member.name: variable for variable in every for member in variable.members}
    known |= {variable.name: variable for variable in every}
    for name in names:
        variable = known.get(name)
        if variable is None:
            raise ParameterError(f"there is no variable '{name}' in {file}{did_you_mean(name, known)}")
        causality = variable.first.causality
        if not variable.is_number or causality == "structuralParameter":
            what = "a structural parameter" if causality == "structuralParameter" else f"of type {variable.kind}"
            raise ParameterError(f"variable '{name}' of {file} is {what}, which cannot be a port")
        if variable not in found and causality not in ("input", "output"):
            found.append(variable)
    return found


class _Names:
    """Identifiers that are not taken yet."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def new(self, name: str, prefix: str = "") -> str:
        plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "variable"
        if plain[0].isdigit():
            plain = f"v{plain}"
        if keyword.iskeyword(plain):
            plain = f"{plain}_"
        wanted = prefix + plain
        if wanted in self.taken and not prefix:
            wanted = f"fmu_{wanted}"
        found, number = wanted, 2
        while found in self.taken:
            found, number = f"{wanted}_{number}", number + 1
        self.taken.add(found)
        return found


def _signal(variable: Variable) -> Signal:
    declared = variable.first.declaredType
    name = getattr(declared, "name", None) or variable.attribute("quantity") or variable.kind
    return Signal(str(name), variable.shape, variable.unit)


def _doc(variable: Variable, port: str) -> str:
    text = variable.description
    if variable.name == port:
        return text or f"{variable.name} of the FMU"
    return f"{text} ({variable.name})" if text else variable.name


def _add_input(made: Face, names: _Names, variable: Variable) -> None:
    if not variable.is_number:
        if variable.kind != "String":
            made.left_out.append(f"{variable.kind} input {variable.name}")
        return
    port = names.new(variable.name)
    start = variable.start() or [0.0] * variable.width
    values = [float(c.out(value)) for c, value in zip(variable.conversions, start, strict=True)]
    default: Any = values if variable.shape else values[0]
    if not np.all(np.isfinite(values)):
        default = 0.0
    made.inputs[port] = Input(_signal(variable), _doc(variable, port), default=default, name=port)
    _keep(made, port, variable)


def _add_output(made: Face, names: _Names, variable: Variable, direct: dict[str, set[str]]) -> None:
    if not variable.is_number:
        made.left_out.append(f"{variable.kind} output {variable.name}")
        return
    port = names.new(variable.name)
    wanted = set().union(*(direct.get(member.name, set()) for member in variable.members))
    feedthrough = tuple(
        name
        for name in made.inputs
        if any(member.name in wanted for member in made.sources[name].members)
        or (name in made.fixed and variable.first.variability != "constant")
    )
    made.outputs[port] = Output(_signal(variable), _doc(variable, port), feedthrough=feedthrough, name=port)
    _keep(made, port, variable)


def _keep(made: Face, port: str, variable: Variable) -> None:
    """Note a port, by the name of its variable and by the one that this version gives such a variable."""
    made.sources[port], made.port_names[variable.name] = variable, port
    made.port_names.setdefault(legal_name(variable.name), port)


def _add_setting(made: Face, names: _Names, variable: Variable) -> None:
    first = variable.first
    causality, initial = first.causality, all(m.initial in ("exact", "approx") for m in variable.members)
    prefix = ""
    number_in = variable.name in made.port_names and made.port_names[variable.name] in made.inputs
    if number_in or (causality in ("output", "local") and initial and first.variability != "constant"):
        prefix = "initial_"
    elif causality not in ("parameter", "structuralParameter") and (causality, first.type) != ("input", "String"):
        return
    found = setting(variable)
    if found is None:
        if causality == "parameter":
            made.left_out.append(f"{variable.kind} parameter {variable.name}")
        return
    name = names.new(variable.name, prefix)
    found.parameter.name = name
    made.settings[name] = found
    if number_in:
        made.starts[made.port_names[variable.name]] = name
    if variable.name != name:
        made.aliases[variable.name] = name
    if (newer := legal_name(variable.name)) not in (name, variable.name):
        made.aliases.setdefault(newer, name)


def _dependencies(description: Description, interface: Interface) -> dict[str, set[str]]:
    """Names of the inputs that each output depends on at the same instant."""
    inputs = {m.name for m in description.model.modelVariables if m.causality == "input"}
    found: dict[str, set[str]] = {}
    if interface == "me":
        found = {m.name: inputs for m in description.model.modelVariables if m.causality == "local"}
    for unknown in description.model.outputs:
        if unknown.dependencies is not None:
            found[unknown.variable.name] = {v.name for v in unknown.dependencies} & inputs
        elif interface == "me":
            found[unknown.variable.name] = inputs
    return found


def _specs(
    ports: Iterable[tuple[str, Variable]], direct: set[str], fixed: Iterable[str] = ()
) -> tuple[VariableSpec, ...]:
    """Where the values of variables stand in the flat array of all ports."""
    found: list[VariableSpec] = []
    first = 0
    for port, variable in ports:
        at = 0
        for member, count in zip(variable.members, variable.counts, strict=True):
            scale, offset = (variable.conversions[at].scale, variable.conversions[at].offset) if count else (1.0, 0.0)
            reference, held, negated = member.valueReference, port in fixed, is_negated(member)
            spec = VariableSpec(
                member.name, member.type, reference, first, count, held or port in direct, scale, offset, held, negated
            )
            found.append(spec)
            at += count
            first += count
    return tuple(found)
