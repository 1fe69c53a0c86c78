"""The FMU Manipulation Toolbox, which packs FMUs and their wires as one, and whose runtime steps them."""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from cython_kernels.plain_c.platforms import Platform, find

PACKAGE = "fmu-manipulation-toolbox"
IDENTIFIER = "container"
_RUNTIMES = {
    "x86_64-linux": "linux64/container.so",
    "x86_64-windows": "win64/container.dll",
    "aarch64-darwin": "darwin64/container.dylib",
}
"""Where the toolbox has its runtime for a platform, below its resources."""


@dataclass
class Wiring:
    """What is packed: FMUs by their names, in the order in which they step, and how they are connected.

    inputs: of the whole, each with the variables that it sets, (FMU, variable): inputs and parameters. outputs: of the
    whole, each with the variable that it shows. links: from a variable to a variable. starts: values, as text.
    """

    fmus: dict[str, bytes] = field(default_factory=dict)
    inputs: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    outputs: dict[str, tuple[str, str]] = field(default_factory=dict)
    links: list[tuple[tuple[str, str], tuple[str, str]]] = field(default_factory=list)
    starts: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Packed:
    """What the toolbox makes of it."""

    resources: Mapping[str, bytes]
    """All FMUs, unpacked, and what the runtime is told, by their paths in the container."""
    references: Mapping[str, int]
    """Value references of inputs and outputs, by their names."""


def toolbox() -> Any:
    """The module that makes containers. Raises ExportError if it is not installed."""
    try:
        from fmu_manipulation_toolbox import container
    except ImportError:
        raise ExportError(
            f"FMUs inside an FMU need {PACKAGE}, which is not installed: pip install 'keelblocks[container]'; or "
            "export a system, with them inside: fmu.export_ssp, keelblocks export --format ssp"
        ) from None
    return container


def runtimes() -> dict[str, Path]:
    """The files of the runtime, by FMI 3.0's names of platforms."""
    resources = Path(toolbox().__file__).parents[1] / "resources"
    return {name: resources / path for name, path in _RUNTIMES.items() if (resources / path).is_file()}


def binaries(platforms: Sequence[Platform], identifier: str) -> dict[str, bytes]:
    """The runtime for these platforms, by its paths in an FMU of FMI 2.0."""
    there = runtimes()
    return {f"binaries/{p.fmi2}/{identifier}{p.suffix}": there[p.name].read_bytes() for p in platforms}


def platform(name: str) -> Platform:
    """A platform that the runtime is there for, by FMI 3.0's name."""
    return next(found for found in find(name) if found.name == name)


def licence() -> bytes:
    """The licence of the toolbox and its runtime."""
    installed = importlib.metadata.distribution(PACKAGE)
    text = installed.read_text("licenses/LICENSE.txt") or installed.read_text("LICENSE.txt") or "BSD-2-Clause\n"
    head = f"binaries/ holds the container runtime of {PACKAGE} {installed.version}, under these terms.\n\n"
    return (head + text).encode()


def pack(wiring: Wiring, step: float) -> Packed:
    """Let the toolbox pack FMUs; the container steps one after the other by `step` s. Raises ExportError."""
    made = toolbox()
    from fmu_manipulation_toolbox.operations import FMUError

    with _quiet(), tempfile.TemporaryDirectory(prefix="keelblocks-") as folder:
        try:
            container = made.FMUContainer(IDENTIFIER, folder, fmi_version=2)
            for name, content in wiring.fmus.items():
                (Path(folder) / name).write_bytes(content)
                container.get_fmu(name)
            for name, sinks in wiring.inputs.items():
                for sink in sinks:
                    container.add_input(name, *sink)
            for name, source in wiring.outputs.items():
                container.add_output(*source, name)
            for source, sink in wiring.links:
                container.add_link(*source, *sink)
            for variable, value in wiring.starts.items():
                container.add_start_value(*variable, value)
            container.make_fmu("packed.fmu", step_size=step, sequential=True)
        except (made.FMUContainerError, FMUError) as problem:
            raise ExportError(f"{PACKAGE} does not pack it: {problem.reason}") from None
        content = (Path(folder) / "packed.fmu").read_bytes()
    return _read(content)


def _read(content: bytes) -> Packed:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        names = sorted(name for name in archive.namelist() if name.startswith("resources/"))
        resources = {name: archive.read(name) for name in names}
        description = ET.fromstring(archive.read("modelDescription.xml"))
    variables = description.iter("ScalarVariable")
    return Packed(resources, {v.attrib["name"]: int(v.attrib["valueReference"]) for v in variables})


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """The toolbox tells of loops, and of conversions between types, which are meant."""
    logger = logging.getLogger("fmu_manipulation_toolbox")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before
