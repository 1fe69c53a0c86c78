"""modelDescription.xml of FMI 3.0: a variable may be an array, and value references count the variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from fmu import units
from fmu.description import definitions
from fmu.description.dependencies import AT_RUN, AT_START, Dependencies, References
from fmu.description.markup import Document, text_of
from fmu.description.model import Model, version
from fmu.description.variables import Variable

_COMMON = {
    "needsExecutionTool": False,
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canGetAndSetFMUState": True,
    "canSerializeFMUState": True,
    "providesDirectionalDerivatives": True,
    "providesAdjointDerivatives": True,
    "providesPerElementDependencies": True,
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


def value_references(variables: Iterable[Variable]) -> dict[str, int]:
    """The value references: variables are counted from 0, those that are another's alias left out."""
    return {variable.name: number for number, variable in enumerate(v for v in variables if v.alias_of is None)}


def description3(model: Model, token: str, dependencies: Dependencies) -> bytes:
    """The XML of a model for FMI 3.0, the same for equal models."""
    references = dependencies.value_references
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
        _add_structure(document, dependencies)
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
    if variable.causality != "input":  # which has no other than the default, "exact", and CasADi refuses to be told
        pairs |= definitions.initial(variable)
    pairs |= _own_attributes(variable, references) | definitions.limit_attributes(variable)
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


def _add_structure(document: Document, dependencies: Dependencies) -> None:
    """Outputs, derivatives and indicators while the model runs; what is computed initially."""
    references, unknowns = dependencies.value_references, dependencies.unknowns
    with document.element("ModelStructure"):
        for tag, phase, variables in (
            ("Output", AT_RUN, unknowns.outputs()),
            ("ContinuousStateDerivative", AT_RUN, unknowns.derivatives()),
            ("InitialUnknown", AT_START, unknowns.initial()),
        ):
            for variable in variables:
                found = dependencies.references(variable, phase)
                pairs = {"valueReference": str(references[variable.name]), "dependencies": " ".join(map(str, found))}
                if found and dependencies.equal(variable, phase):
                    pairs["dependenciesKind"] = " ".join("constant" for _ in found)
                document.empty(tag, pairs)
        for variable in unknowns.indicators():
            document.empty("EventIndicator", {"valueReference": str(references[variable.name])})
