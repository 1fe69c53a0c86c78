"""Small diagrams that are exported as systems of FMUs, and the tools that run such systems."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from cosimulation import Floats, cosimulate

from blocks import Diagram
from blocks.basic import Constant, Demux, FirstOrderLag, Gain, Integrator, Mux, Sine, Sum

STEP, COMMUNICATION_STEP = 1 / 32, 1 / 16
"""Exact in binary, so that tools which add steps up arrive where they should."""

NS = {
    "ssd": "http://ssp-standard.org/SSP1/SystemStructureDescription",
    "ssc": "http://ssp-standard.org/SSP1/SystemStructureCommon",
    "ssv": "http://ssp-standard.org/SSP1/SystemStructureParameterValues",
}


def wire(diagram: Diagram, *wires: tuple[str, ...]) -> None:
    """Connect a source to its sinks, by names."""
    for source, *sinks in wires:
        diagram.connect(source, *sinks)


def oscillator(*, driven: bool = False) -> Diagram:
    """A mass on a spring, of single blocks; all of its signals begin at 0. `driven`: pushed from outside."""
    diagram = Diagram("oscillator", title="A mass on a spring")
    diagram.add("force", Sum("+-"))
    diagram.add("speed", Integrator())
    diagram.add("position", Integrator())
    diagram.add("spring", Gain(4.0))
    wire(
        diagram,
        ("force.y", "speed.u"),
        ("speed.y", "position.u"),
        ("position.y", "spring.u"),
        ("spring.y", "force.in2"),
    )
    if driven:
        diagram.inputs(push="force.in1")
    else:
        diagram.add("push", Sine(1.0, 2.0))
        diagram.connect("push.y", "force.in1")
    diagram.outputs(x="position.y", v="speed.y")
    return diagram


def nested() -> Diagram:
    """Two levels: vectors that are taken apart, and an input that leads to parts on both levels."""
    top = Diagram("nested", title="Parts within parts")
    inner = top.add("inner", Diagram("inner"))
    inner.add("lag", FirstOrderLag([0.5, 1.0, 2.0]))
    inner.add("split", Demux([1, 2]))
    inner.add("gain", Gain(2.0))
    wire(inner, ("lag.y", "split.u"), ("split.out1", "gain.u"))
    inner.inputs(u="lag.u")
    inner.outputs(y="lag.y", doubled="gain.y", rest="split.out2")
    top.add("bias", Constant([0.5, -0.25, 1.0]))
    top.add("sum", Sum("++"))
    top.add("tail", Integrator())
    top.add("both", Mux([1, 1]))
    wire(top, ("bias.y", "sum.in2"), ("sum.y", "inner.u"), ("inner.y[1]", "tail.u"), ("tail.y", "both.in1"))
    top.connect("inner.rest[0]", "both.in2")
    top.inputs(command="sum.in1")
    top.outputs(y="inner.y", last="inner.y[2]", pair="both.y", doubled="inner.doubled")
    return top


@dataclass(frozen=True)
class SystemJob:
    """A system that is loaded by a tool and stepped from its beginning. Variables are "part.variable"."""

    path: Path
    """Of an .ssp file (Ecos), or of the folder of an SSP or an OSP system (libcosim)."""
    steps: int
    record: Sequence[str]
    step: float | None = COMMUNICATION_STEP
    """None: as the system says."""
    parameter_set: str | None = None
    format: str = "ssp"

    def as_json(self) -> dict[str, object]:
        return {
            "path": str(self.path), "steps": self.steps, "record": list(self.record), "step": self.step,
            "parameter_set": self.parameter_set, "format": self.format,
        }  # fmt: skip


def run_system(tool: str, job: SystemJob, folder: Path) -> Floats:
    """What libcosim or Ecos record, a row after each step; fails with what the tool says if there is nothing."""
    found = cosimulate(f"{tool}_system", [job], folder)[0]  # type: ignore[list-item]
    assert not isinstance(found, str), found
    return found


def refusal(tool: str, job: SystemJob, folder: Path) -> str:
    """Why libcosim or Ecos do not run a system."""
    found = cosimulate(f"{tool}_system", [job], folder)[0]  # type: ignore[list-item]
    assert isinstance(found, str)
    return found


def unpacked(ssp: Path, folder: Path) -> Path:
    """The folder of an SSP, which is what libcosim takes."""
    with zipfile.ZipFile(ssp) as archive:
        archive.extractall(folder)
    return folder


def structure(ssp: Path) -> ET.Element:
    """The root of SystemStructure.ssd."""
    with zipfile.ZipFile(ssp) as archive:
        return ET.fromstring(archive.read("SystemStructure.ssd"))


def repacked(ssp: Path, target: Path, changes: dict[str, bytes | None]) -> Path:
    """A copy of an SSP with other contents for some of its files; None leaves a file out."""
    with zipfile.ZipFile(ssp) as source:
        files: dict[str, bytes | None] = {name: source.read(name) for name in source.namelist()}
    files |= changes
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if content is not None:
                archive.writestr(name, content)
    return target
