"""modelDescription.xml of FMI 3.0: a variable may be an array, and value references count the variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from fmu import definitions, units
from fmu.markup import Document, text_of
from fmu.model import Model, Unknowns, version
from fmu.structure import Known
from fmu.variables import Variable

_COMMON = {
    "needsExecutionTool": False,
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canGetAndSetFMUState": True,
    "canSerializeFMUState": True,
    "providesDirectionalDerivatives": True,
    "providesAdjointDerivatives": True,
    "providesPerElementDependencies": False,
}
_MODEL_EXCHANGE = {"needsCompletedIntegratorStep": True, "providesEvaluateDiscreteStates": True}
_CO_SIMULATION = {
    "canHandleVariableCommunicationStepSize": True,
    "maxOutputDerivativeOrder": 0,
    "recommendedIntermediateInputSmoothness": 0,
    "providesIntermediateUpdate": True,
    "mightReturnEarlyFromDoStep": True,
    "canReturnEarlyAfterIntermediateUpdate": True,
    "hasEventMode": True,
    "providesEvaluateDiscreteStates": True,
}
_TYPES = {
    "Real": "Float64", "Integer": "Int32", "Boolean": "Boolean", "Enumeration": "Enumeration", "Size": "UInt64",
    "Clock": "Clock",
}  # fmt: skip

References = Mapping[str, int]
"""Value references by the names of variables."""


def value_references(variables: Iterable[Variable]) -> dict[str, int]:
    """The value references: variables are counted from 0, those that are another's alias left out."""
    return {variable.name: number for number, variable in enumerate(v for v in variables if v.alias_of is None)}


def description3(model: Model, token: str) -> bytes:
    """The XML of a model for FMI 3.0, the same for equal models."""
    references = value_references(model.listed)
    document = Document()
    root = {
        "fmiVersion": "3.0",
        "modelName": model.name,
        "instantiationToken": token,
        **({"description": model.description} if model.description else {}),
        **model.notes,
        "generationTool": f"Keelblocks {version()}",
        "variableNamingConvention": "structured",
    }
    used = {unit for v in model.listed if v.type == "Real" and (unit := v.common_unit)}
    with document.element("fmiModelDescription", root):
        _add_interfaces(document, model)
        definitions.add_units(document, used)
        _add_types(document, model.listed, used)
        definitions.add_log_categories(document)
        definitions.add_experiment(document, model.settings)
        with document.element("ModelVariables"):
            aliases = _aliases(model.listed)
            for variable in model.listed:
                if variable.alias_of is None:
                    _add_variable(document, variable, references, aliases.get(variable.name, []))
        _add_structure(document, model, references)
    return document.encoded()


def _add_interfaces(document: Document, model: Model) -> None:
    common = {"modelIdentifier": model.identifier, **_COMMON}
    if "me" in model.interfaces:
        document.empty("ModelExchange", {k: text_of(v) for k, v in (common | _MODEL_EXCHANGE).items()})
    if "cs" in model.interfaces:
        fixed = {} if model.adaptive else {"fixedInternalStepSize": model.settings.step}
        document.empty("CoSimulation", {k: text_of(v) for k, v in (common | _CO_SIMULATION | fixed).items()})


def _add_types(document: Document, variables: Iterable[Variable], used: Iterable[str]) -> None:
    reals, choices = definitions.quantities(used), definitions.enumerations(variables)
    if not reals and not choices:
        return
    with document.element("TypeDefinitions"):
        for name, pairs in reals.items():
            document.empty("Float64Type", {"name": name, **pairs})
        for name, items in choices.items():
            with document.element("EnumerationType", {"name": name}):
                definitions.add_items(document, items)


def _aliases(variables: Iterable[Variable]) -> dict[str, list[Variable]]:
    found: dict[str, list[Variable]] = {}
    for variable in variables:
        if variable.alias_of is not None:
            found.setdefault(variable.alias_of, []).append(variable)
    return found


def _add_variable(document: Document, variable: Variable, references: References, aliases: list[Variable]) -> None:
    pairs = {"name": variable.name, "valueReference": str(references[variable.name])}
    if text := _description(variable):
        pairs["description"] = text
    pairs["causality"] = variable.causality
    if variable.type == "Clock":
        document.empty("Clock", pairs | {"intervalVariability": "triggered"})
        return
    pairs["variability"] = variable.variability
    if variable.causality in ("input", "output") and variable.variability == "continuous":
        pairs["intermediateUpdate"] = "true"
    if variable.causality == "independent":
        document.empty("Float64", pairs | definitions.real_attributes(variable.common_unit))
        return
    pairs |= (
        definitions.initial(variable) | _own_attributes(variable, references) | definitions.limit_attributes(variable)
    )
    with document.element(_TYPES[variable.type], pairs):
        for number, length in enumerate(variable.place.shape):
            if number == 0 and variable.size:
                document.empty("Dimension", {"valueReference": str(references[variable.size])})
            else:
                document.empty("Dimension", {"start": str(length)})
        for alias in aliases:
            text = _description(alias)
            document.empty("Alias", {"name": alias.name, **({"description": text} if text else {})})


def _own_attributes(variable: Variable, references: References) -> dict[str, str]:
    """Type, unit, nominal and start values."""
    pairs: dict[str, str] = {}
    if variable.type == "Real":
        pairs |= definitions.real_attributes(variable.common_unit)
        if variable.role in ("port", "state"):
            nominals = {float(value) for value in variable.place.nominals}
            if len(nominals) == 1 and nominals != {1.0}:
                pairs["nominal"] = repr(nominals.pop())
    elif variable.type == "Enumeration":
        pairs["declaredType"] = definitions.PREFIX + variable.type_name
    if variable.role == "derivative":
        pairs["derivative"] = str(references[variable.name.removeprefix("der(").removesuffix(")")])
    if variable.start is not None:
        pairs["start"] = " ".join(definitions.number(variable, value) for value in variable.start.tolist())
    return pairs


def _description(variable: Variable) -> str:
    """The declared description, with the labels of the elements, their units where those differ, and the frame."""
    text, labels = variable.place.doc, ", ".join(_labelled(variable))
    text = f"{text}: {labels}" if text and labels else text or labels
    return f"{text} ({variable.frame})" if variable.frame and text else text


def _labelled(variable: Variable) -> Iterator[str]:
    """ "north", "east", "down"; where units differ "x, y, z in m", "phi, theta, psi in rad", or just "in kg, kg.m"."""
    unit = variable.place.unit
    if not isinstance(unit, tuple) or variable.common_unit is not None:
        yield from variable.labels
    elif variable.labels:
        for name, group in itertools.groupby(zip(unit, variable.labels, strict=True), key=lambda pair: pair[0]):
            yield f"{', '.join(label for _, label in group)} in {units.unit(name).name}"
    else:
        yield f"in {', '.join(units.unit(name).name for name in dict.fromkeys(unit))}"


def _add_structure(document: Document, model: Model, references: References) -> None:
    """Outputs, derivatives and indicators while the model runs; what is computed initially."""
    unknowns = Unknowns(model.structure, model.listed)
    known = _Known(model, references)
    with document.element("ModelStructure"):
        for variable in unknowns.outputs():
            names = known.at_run(unknowns.at_run(variable))
            known.add(document, "Output", variable, names, unknowns.is_state(variable))
        for variable in unknowns.derivatives():
            names = known.at_run(unknowns.at_run(variable))
            known.add(document, "ContinuousStateDerivative", variable, names, equal=False)
        for variable in unknowns.initial():
            parameter = unknowns.start_parameter(variable)
            if parameter is None:
                names = known.at_start(unknowns.at_start(variable))
            else:
                names = known.part(*parameter, variable.place.count)
            known.add(document, "InitialUnknown", variable, names, parameter is not None)
        for variable in unknowns.indicators():
            document.empty("EventIndicator", {"valueReference": str(references[variable.name])})


class _Known:
    """What unknowns depend on: inputs, the time, while the model runs states, and parameters that can change then."""

    def __init__(self, model: Model, references: References) -> None:
        shown = [v for v in model.listed if v.name in references]
        self._references = references
        self._time = next(v.name for v in shown if v.role == "time")
        self._inputs: dict[tuple[str, int], str] = {}
        self._states: dict[tuple[str, str, int], str] = {}
        self._parameters: dict[tuple[str, str], list[str]] = {}
        self._tunable: dict[tuple[str, str], list[str]] = {}
        for v in shown:
            elements = range(v.element, v.element + v.place.count)
            if v.causality == "input":
                self._inputs |= {(v.place.name, i): v.name for i in elements}
            elif v.state and v.role != "derivative":
                self._states |= {(*v.state, i): v.name for i in elements}
            elif v.causality == "parameter" and v.leaf:
                key = (v.leaf.name, v.member)
                self._parameters.setdefault(key, []).extend(v.name for _ in elements)
                if v.variability == "tunable":
                    self._tunable[key] = self._parameters[key]

    def at_run(self, known: Iterable[Known]) -> set[str]:
        """The names of what any of the elements depends on while the model runs."""
        return self._names(known, self._tunable)

    def at_start(self, known: Iterable[Known]) -> set[str]:
        """The names of what any of the elements depends on initially."""
        return self._names(known, self._parameters)

    def part(self, leaf: str, parameter: str, first: int, count: int) -> set[str]:
        """The names of some elements of a parameter."""
        return set(self._parameters[leaf, parameter][first : first + count])

    def _names(self, known: Iterable[Known], parameters: Mapping[tuple[str, str], list[str]]) -> set[str]:
        names: set[str] = set()
        for item in set(known):
            names |= {self._inputs[key] for key in item.inputs}
            names |= {self._states[key] for key in item.states if key in self._states}
            names.update(*(parameters.get(key, ()) for key in item.parameters))
            if item.time:
                names.add(self._time)
        return names

    def add(self, document: Document, tag: str, variable: Variable, names: Iterable[str], equal: bool) -> None:
        """An unknown with what it depends on; if it is `equal` to that, with a factor of 1."""
        found = sorted(self._references[name] for name in names)
        pairs = {"valueReference": str(self._references[variable.name]), "dependencies": " ".join(map(str, found))}
        if equal and found:
            pairs["dependenciesKind"] = " ".join("constant" for _ in found)
        document.empty(tag, pairs)
