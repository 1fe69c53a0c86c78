"""modelDescription.xml of FMI 2.0: every element of a variable is a scalar, and a value reference is its place."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

from fmu.description import definitions
from fmu.description.incidence import Known
from fmu.description.markup import Document, attributes, quoted, text_of
from fmu.description.model import Model, Unknowns, version
from fmu.description.variables import Variable

_COMMON: dict[str, object] = {
    "needsExecutionTool": False,
    "canBeInstantiatedOnlyOncePerProcess": False,
    "canNotUseMemoryManagementFunctions": False,
    "canGetAndSetFMUstate": True,
    "canSerializeFMUstate": True,
    "providesDirectionalDerivative": True,
}
_INTERFACES: dict[str, tuple[str, dict[str, object]]] = {
    "me": ("ModelExchange", {"completedIntegratorStepNotNeeded": False}),
    "cs": (
        "CoSimulation",
        {
            "canHandleVariableCommunicationStepSize": True,
            "canInterpolateInputs": True,
            "maxOutputDerivativeOrder": 0,
            "canRunAsynchronuously": False,
        },
    ),
}
_NOT_IN_FMI_2 = ("time", "size")


def description2(model: Model, guid: str) -> bytes:
    """The XML of a model for FMI 2.0, the same for equal models."""
    variables = [v for v in model.variables if v.role not in _NOT_IN_FMI_2]
    document = Document()
    root = {
        "fmiVersion": "2.0",
        "modelName": model.name,
        "guid": guid,
        **({"description": model.description} if model.description else {}),
        **model.notes,
        "generationTool": f"Keelblocks {version()}",
        "variableNamingConvention": "structured",
        "numberOfEventIndicators": str(model.indicator_count if "me" in model.interfaces else 0),
    }
    names = {unit for v in variables if v.type == "Real" for i in range(v.place.count) if (unit := v.unit(i))}
    with document.element("fmiModelDescription", root):
        for key, (tag, own) in _INTERFACES.items():
            if key in model.interfaces:
                _add_interface(document, tag, model, own)
        definitions.add_units(document, names)
        _add_types(document, variables, names)
        definitions.add_log_categories(document)
        definitions.add_experiment(document, model.settings)
        index = _index(variables)
        with document.element("ModelVariables"):
            for variable in variables:
                _add_variable(document, variable, index)
        _add_structure(document, model, index)
    return document.encoded()


def _add_interface(document: Document, tag: str, model: Model, own: dict[str, object]) -> None:
    pairs = {"modelIdentifier": model.identifier, **{k: text_of(v) for k, v in (_COMMON | own).items()}}
    with document.element(tag, pairs):
        if model.sources:
            with document.element("SourceFiles"):
                for name in model.sources:
                    document.empty("File", {"name": name})


def _add_types(document: Document, variables: list[Variable], names: Iterable[str]) -> None:
    reals, choices = definitions.quantities(names), definitions.enumerations(variables)
    if not reals and not choices:
        return
    with document.element("TypeDefinitions"):
        for name, pairs in reals.items():
            document.line(f"<SimpleType{attributes({'name': name})}><Real{attributes(pairs)}/></SimpleType>")
        for name, items in choices.items():
            with document.element("SimpleType", {"name": name}), document.element("Enumeration"):
                definitions.add_items(document, items)


Index = dict[str, int]
"""The number of the first element of each variable, from 1."""


def _index(variables: list[Variable]) -> Index:
    index, count = {}, 1
    for variable in variables:
        index[variable.name] = count
        count += variable.place.count
    return index


def _add_variable(document: Document, variable: Variable, index: Index) -> None:
    common: dict[str, str] = {"causality": variable.causality, "variability": variable.variability}
    if variable.causality != "input":
        common |= definitions.initial(variable)
    tail = attributes(common)
    kind = f"<{variable.type}{attributes(definitions.limit_attributes(variable) | _type(variable))}"
    starts = None if variable.start is None else variable.start.tolist()
    nominals = variable.place.nominals.tolist() if variable.role in ("port", "state") else None
    state = 0
    if variable.role == "derivative":
        state = index[variable.name.removeprefix("der(").removesuffix(")")]
    for i, name in enumerate(variable.elements()):
        own = _unit(variable.unit(i)) if variable.type == "Real" else ""
        if nominals and nominals[i] != 1.0:
            own += f' nominal="{nominals[i]!r}"'
        if starts is not None:
            own += f' start="{definitions.number(variable, starts[i])}"'
        if state:
            own += f' derivative="{state + i}"'
        text = variable.description(i)
        about = f' description="{quoted(text)}"' if text else ""
        document.line(
            f'<ScalarVariable name="{quoted(name)}" valueReference="{variable.place.first + i}"{about}{tail}>'
            f"{kind}{own}/></ScalarVariable>"
        )


def _type(variable: Variable) -> dict[str, str]:
    return {"declaredType": definitions.PREFIX + variable.type_name} if variable.type == "Enumeration" else {}


@functools.cache
def _unit(name: str | None) -> str:
    """The attributes of a real number with this unit."""
    return attributes(definitions.real_attributes(name))


def _add_structure(document: Document, model: Model, index: Index) -> None:
    """Outputs and derivatives by inputs and states; what is computed initially by inputs and parameters."""
    unknowns = Unknowns(model.incidence, model.variables)
    known = _Known(model, unknowns, index)
    with document.element("ModelStructure"):
        known.add(document, "Outputs", unknowns.outputs(), known.at_run)
        known.add(document, "Derivatives", unknowns.derivatives(), known.at_run)
        known.add(document, "InitialUnknowns", unknowns.initial(), known.at_start)


class _Known:
    """What unknowns depend on: while the model runs inputs and states, initially inputs and parameters."""

    def __init__(self, model: Model, unknowns: Unknowns, index: Index) -> None:
        shown = [v for v in model.variables if v.name in index]
        self._unknowns = unknowns
        self._index = index
        self._inputs = {v.place.name: index[v.name] for v in shown if v.causality == "input"}
        self._states = {v.state: index[v.name] for v in shown if v.state and v.role != "derivative"}
        self._parameters = {
            (v.leaf.name, v.member): range(index[v.name], index[v.name] + v.place.count)
            for v in shown
            if v.causality == "parameter" and v.leaf
        }
        self._texts: dict[tuple[Known, bool], str] = {}

    def add(
        self, document: Document, tag: str, variables: Iterable[Variable], rows: Callable[[Variable], Iterable[str]]
    ) -> None:
        """A list of unknowns, every element with what it depends on."""
        lines = [
            f'<Unknown index="{number}"{row}/>'
            for variable in variables
            if variable.name in self._index
            for number, row in enumerate(rows(variable), self._index[variable.name])
        ]
        if lines:
            with document.element(tag):
                for line in lines:
                    document.line(line)

    def at_run(self, variable: Variable) -> Iterator[str]:
        """The attributes of each element; one that is a state depends on that with a factor of 1."""
        kind = _ONE if self._unknowns.is_state(variable) else ""
        for known in self._unknowns.at_run(variable):
            found = self._dependencies(known, False)
            yield f' dependencies="{found}"{kind if found else ""}'

    def at_start(self, variable: Variable) -> Iterator[str]:
        """The attributes of each element initially; one whose start value is a parameter depends on that element."""
        whole = self._unknowns.start_parameter(variable)
        if whole is not None:
            *key, first = whole
            for i in range(first, first + variable.place.count):
                yield f' dependencies="{self._parameters[key[0], key[1]][i]}"{_ONE}'
            return
        for known in self._unknowns.at_start(variable):
            yield f' dependencies="{self._dependencies(known, True)}"'

    def _dependencies(self, known: Known, initially: bool) -> str:
        key = (known, initially)
        if key not in self._texts:
            found = [self._inputs[name] + i for name, i in known.inputs]
            found += [self._states[leaf, state] + i for leaf, state, i in known.states if (leaf, state) in self._states]
            for parameter in known.parameters if initially else ():
                found += self._parameters.get(parameter, ())  # not all are shown
            self._texts[key] = " ".join(map(str, sorted(found)))
        return self._texts[key]


_ONE = ' dependenciesKind="constant"'
