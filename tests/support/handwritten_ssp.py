"""SSP files written by hand, for what no exporter here writes: nested systems, inline bindings, mistakes."""

from __future__ import annotations

import functools
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from systems import STEP

import fmu
from blocks.basic import FirstOrderLag, Gain, Integrator
from blocks.dynamics import DiagonalVessel3DOF

Listed = tuple[str, str, str]
"""A connector: name, kind, type."""

HEAD = (
    '<ssd:SystemStructureDescription version="1.0" name="hand" '
    'xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" '
    'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" '
    'xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping" '
    'xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">'
)
UNITS = (
    '<ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit>'
    '<ssc:Unit name="km"><ssc:BaseUnit m="1" factor="1000"/></ssc:Unit>'
    '<ssc:Unit name="kg"><ssc:BaseUnit kg="1"/></ssc:Unit>'
    '<ssc:Unit name="t"><ssc:BaseUnit kg="1" factor="1000"/></ssc:Unit>'
    '<ssc:Unit name="degC"><ssc:BaseUnit K="1" offset="273.15"/></ssc:Unit>'
    '<ssc:Unit name="deg"><ssc:BaseUnit rad="1" factor="0.017453292519943295"/></ssc:Unit>'
)


@functools.cache
def parts() -> Mapping[str, bytes]:
    """FMUs to write about, by their places in the package."""
    made = {
        "gain": Gain(2.0), "triple": Gain([1.0, 2.0, 3.0]), "integral": Integrator(), "lag": FirstOrderLag(1.0),
        "vessel": DiagonalVessel3DOF(inertia=(1.0, 1.0, 1.0)),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return {
            f"resources/{name}.fmu": fmu.export(block, Path(folder) / f"{name}.fmu", name=name, step=STEP).read_bytes()
            for name, block in made.items()
        }


def write_ssp(path: Path, text: str, files: Mapping[str, bytes | str] | None = None) -> Path:
    """A package with the text of a system, all parts, and more files."""
    ending = f"<ssd:Units>{UNITS}</ssd:Units></ssd:SystemStructureDescription>"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", HEAD + text + ending)
        for name, content in {**parts(), **(files or {})}.items():
            archive.writestr(name, content)
    return path


def component(name: str, source: str, *connectors: Listed, bindings: str = "") -> str:
    """A component with connectors and parameter bindings."""
    return (
        f'<ssd:Component name="{name}" source="resources/{source}.fmu">{_connectors(connectors)}'
        f"{_within('ParameterBindings', bindings)}</ssd:Component>"
    )


def _connectors(connectors: Sequence[Listed]) -> str:
    listed = "".join(f'<ssd:Connector name="{n}" kind="{kind}">{t}</ssd:Connector>' for n, kind, t in connectors)
    return _within("Connectors", listed)


def _within(tag: str, content: str) -> str:
    return f"<ssd:{tag}>{content}</ssd:{tag}>" if content else ""


def real(name: str, kind: str, unit: str = "") -> Listed:
    """A connector for a number."""
    return name, kind, f'<ssc:Real unit="{unit}"/>' if unit else "<ssc:Real/>"


U, Y = real("u", "input"), real("y", "output")


def connect(start: str, end: str, inside: str = "", extra: str = "") -> str:
    """A connection between "element.connector" or connectors of the system."""
    attributes = ""
    for side, name in (("start", start), ("end", end)):
        element, _, connector = name.rpartition(".")
        attributes += (f' {side}Element="{element}"' if element else "") + f' {side}Connector="{connector}"'
    return f"<ssd:Connection{attributes}{extra}>{inside}</ssd:Connection>"


def system(
    elements: str,
    connections: str = "",
    connectors: Sequence[Listed] = (),
    bindings: str = "",
    name: str = "root",
    dictionaries: str = "",
) -> str:
    """A system."""
    return (
        f'<ssd:System name="{name}">{_connectors(connectors)}{_within("ParameterBindings", bindings)}'
        f"<ssd:Elements>{elements}</ssd:Elements>{_within('Connections', connections)}"
        f"{_within('SignalDictionaries', dictionaries)}</ssd:System>"
    )


def values(*parameters: tuple[str, str]) -> str:
    """A parameter set, of names and values such as `number` gives."""
    listed = "".join(f'<ssv:Parameter name="{name}">{value}</ssv:Parameter>' for name, value in parameters)
    return (
        '<ssv:ParameterSet version="1.0" name="set" xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" '
        'xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">'
        f"<ssv:Parameters>{listed}</ssv:Parameters><ssv:Units>{UNITS}</ssv:Units></ssv:ParameterSet>"
    )


def number(value: float, unit: str = "") -> str:
    """The value of a parameter."""
    given = f' unit="{unit}"' if unit else ""
    return f'<ssv:Real value="{value}"{given}/>'


def inline(*parameters: tuple[str, str], prefix: str = "", mapping: str = "") -> str:
    """A binding with its parameter set inside."""
    given = f' prefix="{prefix}"' if prefix else ""
    inside = f"<ssd:ParameterValues>{values(*parameters)}</ssd:ParameterValues>{mapping}"
    return f"<ssd:ParameterBinding{given}>{inside}</ssd:ParameterBinding>"
