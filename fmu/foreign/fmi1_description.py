"""What FMI 1.0 says in a description and FMPy leaves out, put where later versions have it.

Aliases, the inputs that an output depends on, what an FMU can do, and which values may be set: everything after this
file reads a description of FMI 1.0 as one of FMI 2.0.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

from fmpy.model_description import ModelVariable, Unknown

from blocks.errors import FmuError

_NO_VALUE = 2**32 - 1
"""The value reference of a variable that has none."""
_FLAGS = ("canHandleVariableCommunicationStepSize", "canInterpolateInputs", "canRunAsynchronuously",
          "canBeInstantiatedOnlyOncePerProcess", "canNotUseMemoryManagementFunctions")  # fmt: skip


class NegatedVariable(ModelVariable):  # type: ignore[misc]
    """A variable that is minus the value that its reference stands for, or of a Boolean the other value.

    Its start, min and max are its own.
    """

    negated = True


def complete(model: Any, content: bytes, file: str) -> None:
    """Complete FMPy's model of a description of FMI 1.0 from the XML. Raises FmuError for one that needs a tool."""
    root = ET.fromstring(content)
    _interfaces(model, root, file)
    nodes = [node for node in root.iterfind("ModelVariables/*") if node.get("name") is not None]
    pairs = [(m, n) for m, n in zip(model.modelVariables, nodes, strict=True) if m.valueReference != _NO_VALUE]
    bases = {_place(m): m for m, n in pairs if n.get("alias", "noAlias") == "noAlias"}
    settable = {place for place, member in bases.items() if member.start is not None}
    model.modelVariables[:] = [_variable(member, node, bases, settable) for member, node in pairs]
    inputs = {m.name: m for m in model.modelVariables if m.causality == "input"}
    for member, (_, node) in zip(model.modelVariables, pairs, strict=True):
        if member.causality == "output":
            model.outputs.append(Unknown(variable=member, dependencies=_dependencies(node, inputs)))
    # any value may follow from the inputs that are there when the FMU is initialized
    model.initialUnknowns[:] = [Unknown(variable=member) for member in model.modelVariables[:1]]


def _interfaces(model: Any, root: ET.Element, file: str) -> None:
    if (tool := root.find("Implementation/CoSimulation_Tool")) is not None:
        entry = tool.find("Model")
        program = f" ({entry.get('type')}, {entry.get('entryPoint')})" if entry is not None else ""
        raise FmuError(
            f"{file} only connects to the tool that made it{program}: of FMI 1.0 Co-Simulation, "
            f"CoSimulation_StandAlone can be used, and this is CoSimulation_Tool; export it to stand alone"
        )
    if model.modelExchange is not None:
        model.modelExchange.needsCompletedIntegratorStep = True
    can = root.find("Implementation/CoSimulation_StandAlone/Capabilities")
    if can is not None:
        for flag in _FLAGS:
            setattr(model.coSimulation, flag, can.get(flag) in ("true", "1"))


def _place(member: Any) -> tuple[str, int]:
    """Where the value is: enumerations and integers share their references."""
    return ("Integer" if member.type == "Enumeration" else member.type), member.valueReference


def _variable(member: Any, node: ET.Element, bases: dict[Any, Any], settable: set[Any]) -> Any:
    """The variable in the words of FMI 2.0."""
    alias, variability = node.get("alias", "noAlias"), node.get("variability", "continuous")
    causality, place = node.get("causality", "internal"), _place(member)
    value = next((child for child in node if child.tag == member.type), node)
    if value.get("relativeQuantity") is not None:
        member.relativeQuantity = value.get("relativeQuantity") in ("true", "1")
    second = alias != "noAlias" and place in settable
    can_be_set = member.start is not None and variability != "constant" and not second
    member.initial = None
    if can_be_set:
        member.initial = "approx" if value.get("fixed") in ("false", "0") else "exact"
    if variability == "parameter" and causality == "output":
        member.causality = "output"
    elif variability == "parameter" and not can_be_set:
        member.causality = "calculatedParameter"  # from others, by the FMU
    elif causality == "none":
        member.causality = "parameter" if can_be_set else "local"  # a switch of the FMU's tool, such as what it logs
    if second:
        member.start = bases[place].start
    if alias != "negatedAlias":
        return member
    made = NegatedVariable()
    for field in member.__attrs_attrs__:
        setattr(made, field.name, getattr(member, field.name))
    if second:
        made.start = _other(member.type, member.start)
    return made


def _other(kind: str, text: str) -> str:
    """Minus a start value, or of a Boolean the other one."""
    text = text.strip()
    if kind == "Boolean":
        return "false" if text in ("true", "1") else "true"
    return text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"


def _dependencies(node: ET.Element, inputs: dict[str, Any]) -> list[Any] | None:
    """The inputs that an output depends on at the same instant; None if nothing is said, which means all."""
    listed = node.find("DirectDependency")
    if listed is None:
        return None
    names = [(name.text or "").strip() for name in listed.iterfind("Name")]
    return [inputs[name] for name in names if name in inputs]
