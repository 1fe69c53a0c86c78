"""NULL for an instance or for any argument that points: refused by name, in every mode, by every function.

The functions and their arguments are those of the FMI headers, so that none is forgotten.
"""

from __future__ import annotations

import ctypes
import re
from ctypes import CFUNCTYPE, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p

import pytest
from c_host import Unpacked
from subjects import BY_NAME

from fmu.exporting.export import INTERFACES
from fmu.runtime.build.runtimes import fmi_headers

ERROR = 3
NUMBERS = {
    "fmi2Real": c_double, "fmi2Integer": c_int, "fmi2Boolean": c_int, "fmi2StatusKind": c_int,
    "fmi2ValueReference": c_uint32, "fmi3Float64": c_double, "fmi3Boolean": c_bool, "fmi3ValueReference": c_uint32,
    "fmi3UInt64": c_uint64, "fmi3IntervalQualifier": c_int, "fmi3DependencyKind": c_int, "size_t": c_size_t,
}  # fmt: skip
NEVER_ASKED = {
    ("fmi2FreeFMUstate", "FMUstate"), ("fmi3FreeFMUState", "FMUState"),  # as free() in C
    ("fmi2GetString", "value"), ("fmi2SetString", "value"),  # there are no variables of these types
    *((f"fmi3{does}{kind}", "values") for does in ("Get", "Set")
      for kind in ("Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32")),
}  # fmt: skip
NOT_OFFERED = re.compile(
    r"(Interval|Shift|Clock|Binary|String)|OutputDerivatives|CancelStep|AdjointDerivative|Activate"
)
LIFE = re.compile(r"Instantiate|FreeInstance|GetTypesPlatform|GetVersion|Status$")

Argument = tuple[str, str, bool]
"""Type, name, whether it points."""


def functions(version: str) -> dict[str, list[Argument]]:
    """Every function that returns a status, by name, with its arguments."""
    text = (fmi_headers() / f"fmi{version[0]}FunctionTypes.h").read_text(encoding="utf-8")
    found = {}
    for name, arguments in re.findall(r"typedef\s+fmi\dStatus\s+(\w+)TYPE\s*\(([^)]*)\);", text):
        taken: list[Argument] = []
        for argument in arguments.split(","):
            kind, star, called, brackets = re.fullmatch(
                r"\s*(?:const\s+)?(\w+)\s*(\*?)\s*(\w*)\s*((?:\[\])?)\s*", argument
            ).groups()
            taken.append((kind, called, bool(star or brackets or kind not in NUMBERS)))
        found[name] = taken
    return found


class Host:
    """A library, and an instance of what is in a folder."""

    def __init__(self, unpacked: Unpacked, library: object, version: str, interface: str) -> None:
        self.library = ctypes.CDLL(str(library))
        self.version, self.messages = version, []
        self.kept: list[object] = []
        resources, token = unpacked.resources.encode(), unpacked.token.encode()
        if version == "2.0":
            log = CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)(lambda *a: self.messages.append(a[4]))
            callbacks = (c_void_p * 5)(ctypes.cast(log, c_void_p).value)
            make = self.library.fmi2Instantiate
            arguments = [b"host", int(interface == "cs"), token, resources, callbacks, 0, 0]
        else:
            log = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)(lambda *a: self.messages.append(a[3]))
            callbacks = None
            head = [b"host", token, resources, c_bool(False), c_bool(False)]
            if interface == "cs":
                make = self.library.fmi3InstantiateCoSimulation
                arguments = [*head, c_bool(True), c_bool(True), None, c_size_t(0), None, log, None]
            else:
                make, arguments = self.library.fmi3InstantiateModelExchange, [*head, None, log]
        self.kept += [log, callbacks]
        make.restype = c_void_p
        self.instance = c_void_p(make(*arguments))
        assert self.instance, self.messages

    def call(self, name: str, *arguments: object) -> int:
        function = self.library[name]
        function.restype = c_int
        return int(function(*arguments))

    def go(self, *names: str) -> None:
        """Call these functions, with nothing special."""
        given = {
            "fmi2SetupExperiment": [c_int(0), c_double(0), c_double(0), c_int(0), c_double(0)],
            "fmi3EnterInitializationMode": [c_bool(False), c_double(0), c_double(0), c_bool(False), c_double(0)],
        }
        for name in names:
            assert self.call(name, self.instance, *given.get(name, [])) == 0, self.messages

    def free(self) -> None:
        self.library[f"fmi{self.version[0]}FreeInstance"](self.instance)


def passed(kind: str) -> object:
    """Something for an argument that does not point: one of what is counted, else nothing special."""
    return NUMBERS[kind](1 if kind == "size_t" else 0)


PHASES = {
    ("2.0", "cs"): ["fmi2SetupExperiment fmi2EnterInitializationMode", "fmi2ExitInitializationMode"],
    ("2.0", "me"): [
        "fmi2SetupExperiment fmi2EnterInitializationMode", "fmi2ExitInitializationMode", "fmi2EnterContinuousTimeMode",
    ],
    ("3.0", "cs"): ["fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3EnterStepMode"],
    ("3.0", "me"): ["fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3EnterContinuousTimeMode"],
}  # fmt: skip


@pytest.fixture
def hosts(export, version, tmp_path):
    """A host for each interface."""
    unpacked = Unpacked.of(export(BY_NAME["plant"], version), tmp_path / "fmu")
    made = {interface: Host(unpacked, unpacked.library, version, interface) for interface in INTERFACES}
    yield made
    for host in made.values():
        host.free()


def test_without_an_instance_every_function_says_error(hosts, version):
    for name, arguments in functions(version).items():
        given = [c_void_p(None) if points else passed(kind) for kind, _, points in arguments]
        assert hosts["cs"].call(name, *given) == ERROR, name


def refused_in(host, asked, special):
    """The functions and arguments that were asked for, with NULL for one argument after the other."""
    found = set()
    for name, arguments in asked.items():
        for missing in [called for _, called, points in arguments[1:] if points]:
            given = [
                c_void_p(None) if called == missing
                else ctypes.create_string_buffer(256) if points
                else special.get((name, called), passed(kind))
                for kind, called, points in arguments[1:]
            ]  # fmt: skip
            host.messages.clear()
            status = host.call(name, host.instance, *given)
            said = b"\n".join(host.messages).decode()
            assert status <= ERROR, f"{name} ends the instance: {said}"
            assert status < ERROR or name in said, "whatever is refused says by which function"
            if status == ERROR and "is NULL" in said:
                found.add((name, missing))
    return found


def some_dependencies(host):
    """A variable of FMI 3 with dependencies, and how many, as `fmi3GetVariableDependencies` takes them."""
    count = c_size_t(0)
    for reference in range(100):
        host.call("fmi3GetNumberOfVariableDependencies", host.instance, c_uint32(reference), ctypes.byref(count))
        if count.value:
            function = "fmi3GetVariableDependencies"
            return {(function, "dependent"): c_uint32(reference), (function, "nDependencies"): count}
    return {}


def test_every_argument_that_points_is_asked_for_by_name(hosts, version):
    asked = {name: a for name, a in functions(version).items() if not (LIFE.search(name) or NOT_OFFERED.search(name))}
    refused = set()
    for interface, host in hosts.items():
        for phase in ["", *PHASES[version, interface]]:
            host.go(*phase.split())
            special = some_dependencies(host) if version == "3.0" else {}
            refused |= refused_in(host, asked, special)
    pointing = {(name, called) for name, arguments in asked.items() for _, called, points in arguments[1:] if points}
    assert pointing - refused == NEVER_ASKED & pointing
