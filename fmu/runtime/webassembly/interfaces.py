"""What FMI-LS-WASM says that a component imports and exports: the package fmi:fmi3@3.0.0 of its draft, as a table.

Read: wit/ and docs/index.adoc of commit 77277f4c of https://github.com/modelica/fmi-ls-wasm, of 2026, a working draft
without a version. A type is written as WIT has it.
"""

from __future__ import annotations

from dataclasses import dataclass

VERSION = "0.1.0"
"""Of the layered standard, for the manifest: what the draft gives as an example."""

Type = str | tuple[str, ...] | dict[str, str]
"""A type of WIT, an enumeration (a tuple of its items) or a record (its fields)."""

TYPES: dict[str, Type] = {
    "value-reference": "u32",
    "status": ("ok", "warning", "discard", "error", "fatal"),
    "interval-qualifier": ("interval-not-yet-known", "interval-unchanged", "interval-changed"),
    "dependency-kind": ("dependent", "constant", "fixed", "tunable", "discrete"),
    "fmu-state": "list<u8>",
    "interval-fraction": {"counter": "u64", "resolution": "u64"},
    "variable-dependency": {
        "dependent-value-reference": "value-reference",
        "element-index-of-dependent": "u32",
        "independent-value-reference": "value-reference",
        "element-index-of-independent": "u32",
        "kind": "dependency-kind",
    },
    "discrete-states-info": {
        "new-discrete-states-needed": "bool",
        "terminate-simulation": "bool",
        "nominals-of-continuous-states-changed": "bool",
        "values-of-continuous-states-changed": "bool",
        "next-event-time-defined": "bool",
        "next-event-time": "f64",
    },
}
"""Of the interface `types`."""


@dataclass(frozen=True)
class Function:
    """A function: its parameters, by name, and its result, if there is one."""

    name: str
    parameters: tuple[tuple[str, str], ...] = ()
    result: str = ""


@dataclass(frozen=True)
class Interface:
    """An interface that is exported: what it takes of `types`, what it has of its own, and the resource with methods.

    factory: the static function that makes an instance.
    """

    name: str
    used: tuple[str, ...]
    own: dict[str, Type]
    resource: str
    factory: Function
    methods: tuple[Function, ...]


def path(interface: str) -> str:
    """The name by which an interface of the package is imported or exported."""
    return f"fmi:fmi3/{interface}@3.0.0"


LOG_MESSAGE = Function(
    "log-message",
    (("instance-name", "string"), ("status", "status"), ("category", "string"), ("message", "string")),
)
"""Of the interface `callbacks`, the only one that is imported."""
GET_VERSION = Function("get-version", (), "string")
"""Of the interface `common`."""

_REFERENCES = ("value-references", "list<value-reference>")
_VALUES = {
    "float32": "f32", "float64": "f64", "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64", "uint8": "u8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "boolean": "bool", "string": "string", "binary": "list<u8>",
    "clock": "bool",
}  # fmt: skip
_SHIFTS = {"decimal": "f64", "fraction": "interval-fraction"}
_REQUESTS = ("requests", "list<tuple<value-reference, u32>>")
_NUMBERS = "result<list<f64>, status>"


def _changes(*names: str) -> tuple[Function, ...]:
    return tuple(Function(name, (), "status") for name in names)


def _derivative(name: str) -> Function:
    references = "list<value-reference>"
    return Function(name, (("unknowns", references), ("knowns", references), ("seed", "list<f64>")), _NUMBERS)


_COMMON = (
    Function("set-debug-logging", (("logging-on", "bool"), ("categories", "list<string>")), "status"),
    Function(
        "enter-initialization-mode",
        (("tolerance", "option<f64>"), ("start-time", "f64"), ("stop-time", "option<f64>")),
        "status",
    ),
    *_changes("exit-initialization-mode", "enter-event-mode"),
    Function("update-discrete-states", (), "result<discrete-states-info, status>"),
    *_changes("terminate", "reset", "enter-configuration-mode", "exit-configuration-mode"),
    *(Function(f"get-{name}", (_REFERENCES,), f"result<list<{of}>, status>") for name, of in _VALUES.items()),
    *(Function(f"set-{name}", (_REFERENCES, ("values", f"list<{of}>")), "status") for name, of in _VALUES.items()),
    Function("get-number-of-variable-dependencies", (("vr", "value-reference"),), "result<u64, status>"),
    Function(
        "get-variable-dependencies", (("dependent", "value-reference"),), "result<list<variable-dependency>, status>"
    ),
    Function("get-fmu-state", (), "result<fmu-state, status>"),
    Function("set-fmu-state", (("state", "fmu-state"),), "status"),
    _derivative("get-directional-derivative"),
    _derivative("get-adjoint-derivative"),
    *(
        Function(f"get-interval-{name}", (_REFERENCES,), f"result<list<tuple<{of}, interval-qualifier>>, status>")
        for name, of in _SHIFTS.items()
    ),
    *(Function(f"get-shift-{name}", (_REFERENCES,), f"result<list<{of}>, status>") for name, of in _SHIFTS.items()),
    *(
        Function(f"set-interval-{name}", (_REFERENCES, ("intervals", f"list<{of}>")), "status")
        for name, of in _SHIFTS.items()
    ),
    *(
        Function(f"set-shift-{name}", (_REFERENCES, ("shifts", f"list<{of}>")), "status")
        for name, of in _SHIFTS.items()
    ),
    *_changes("evaluate-discrete-states", "enter-step-mode"),
    Function("get-output-derivatives", (_REQUESTS,), _NUMBERS),
)

_USED = tuple(name for name in TYPES if name != "dependency-kind")
_MADE = (
    ("instance-name", "string"),
    ("instantiation-token", "string"),
    ("visible", "bool"),
    ("logging-on", "bool"),
)

CO_SIMULATION = Interface(
    "co-simulation",
    _USED,
    {
        "do-step-result": {
            "last-successful-time": "f64",
            "event-handling-needed": "bool",
            "terminate-simulation": "bool",
            "early-return": "bool",
        }
    },
    "co-simulation-instance",
    Function(
        "instantiate-co-simulation",
        (
            *_MADE,
            ("event-mode-used", "bool"),
            ("early-return-allowed", "bool"),
            ("required-intermediate-variables", "list<value-reference>"),
        ),
        "option<co-simulation-instance>",
    ),
    (
        *_COMMON,
        Function("set-input-derivatives", (_REQUESTS, ("values", "list<f64>")), "status"),
        Function(
            "do-step",
            (
                ("current-communication-point", "f64"),
                ("communication-step-size", "f64"),
                ("no-set-fmu-state-prior-to-current-point", "bool"),
            ),
            "result<do-step-result, status>",
        ),
    ),
)

MODEL_EXCHANGE = Interface(
    "model-exchange",
    _USED,
    {"completed-step-result": {"enter-event-mode": "bool", "terminate-simulation": "bool"}},
    "model-exchange-instance",
    Function("instantiate-model-exchange", _MADE, "option<model-exchange-instance>"),
    (
        *_COMMON,
        *_changes("enter-continuous-time-mode"),
        Function("set-time", (("time", "f64"),), "status"),
        Function("set-continuous-states", (("continuous-states", "list<f64>"),), "status"),
        *(
            Function(f"get-{name}", (), _NUMBERS)
            for name in (
                "continuous-state-derivatives", "event-indicators", "continuous-states",
                "nominals-of-continuous-states",
            )
        ),
        *(
            Function(f"get-number-of-{name}", (), "result<u64, status>")
            for name in ("event-indicators", "continuous-states")
        ),
        Function(
            "completed-integrator-step",
            (("no-set-fmu-state-prior-to-current-point", "bool"),),
            "result<completed-step-result, status>",
        ),
    ),
)  # fmt: skip
