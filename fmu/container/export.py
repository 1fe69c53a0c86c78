"""Export a diagram with FMUs in it as one FMU that holds them."""

from __future__ import annotations

import hashlib
import re
import tempfile
import warnings
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from blocks.diagram import Diagram
from blocks.errors import ExportError, SimulationError
from blocks.plan.flatten import flatten
from blocks.plan.settings import Settings
from blocks.plan.sizes import find_sizes
from cython_kernels.plain_c.platforms import written_out
from fmu.container.cautions import warn_of_first, warn_of_initialization, warn_of_late, warn_of_steps
from fmu.container.description import About, description_of
from fmu.container.page import page
from fmu.container.parts import check_asked, check_parts, common_platforms, platforms_in
from fmu.container.remainder import Remainder, remainder_of
from fmu.container.toolbox import binaries, licence, pack, platform, toolbox
from fmu.container.wiring import arrangement_of
from fmu.description.drawing import drawing, drawn_as
from fmu.description.icon import icon
from fmu.description.shown import what_is_shown
from fmu.exporting import archive
from fmu.exporting.arguments import check_shapes, read_names, read_shapes
from fmu.exporting.export import export
from fmu.exporting.licences import licence_text
from fmu.foreign.importer import FmuBlock
from fmu.foreign.within import fmu_blocks
from fmu.notices import ExportWarning
from fmu.ssp.carried import content_of


def container(diagram: Diagram, title: str, identifier: str, asked: Mapping[str, Any]) -> bytes:
    """The FMU of a diagram that holds FMUs; `asked` are the arguments of `fmu.export`, which has checked them.

    Raises ExportError, naming the part, for what a container cannot hold or be, if the toolbox is not installed, and
    for a platform that a part lacks.
    """
    check_asked(asked)
    toolbox()
    blocks = fmu_blocks(diagram)
    check_parts(blocks)
    wanted = None if asked["platforms"] is None else written_out(read_names("platforms", asked["platforms"]))
    common_platforms(blocks, None, wanted)  # before anything is made
    step = _step(blocks, asked["communication_step"])
    shown = what_is_shown(asked["only_interface"], asked["parameters"], for_hosts=True, local_variables=False)
    everything = asked["local_variables"]
    if everything is None:
        everything = not (diagram.output_ports or asked["only_interface"])
    wanted_shapes = read_shapes(diagram, asked["input_shapes"])
    shapes = find_sizes(flatten(diagram), wanted_shapes).input_shapes  # here faults have the names that are known
    check_shapes(shapes, wanted_shapes)
    remainder = remainder_of(diagram, step, everything=everything)
    if not remainder.diagram.blocks():
        raise ExportError(
            f"diagram '{title}' has only FMUs, and nothing is fed to them or seen of them: declare outputs, "
            f"diagram.outputs({_example(blocks)}), or show all by local_variables=True"
        )
    with drawn_as(diagram):
        own = _own_fmu(remainder, shapes, {**asked, "name": title, "local_variables": everything})
    with zipfile.ZipFile(BytesIO(own)) as opened:
        own_description = ET.fromstring(opened.read("modelDescription.xml"))
        there = platforms_in(opened.namelist(), "2.0", identifier)
    kept = [platform(name) for name in common_platforms(blocks, there, wanted)]
    own = _only_for(own, {one.fmi2 for one in kept})
    others = {path: content_of(block) for path, block in blocks.items()}
    arranged = arrangement_of(remainder, own, own_description, others)
    arranged.show_only(shown)
    packed = pack(arranged.wiring, step)
    warn_of_steps(blocks, step)
    warn_of_late(remainder.late)
    warn_of_first(remainder.first)
    warn_of_initialization(remainder.beginning)
    about = About(identifier, step, blocks, dict(zip(arranged.wiring.fmus, blocks, strict=False)))
    root = description_of(own_description, arranged, packed.references, about)
    drawn = drawing(diagram)
    files = {"modelDescription.xml": _with_guid(root, packed.resources)}
    files |= binaries(kept, identifier)
    files |= {
        "documentation/index.html": page(root, drawn.svg, blocks, step),
        "documentation/licenses/license.txt": licence_text(),
        "documentation/licenses/fmu_manipulation_toolbox.txt": licence(),
        "model.png": icon(drawn).png,
    }
    return archive.pack(files | dict(packed.resources))


def _step(blocks: Mapping[str, FmuBlock], given: float | str | None) -> float:
    if given is None:
        return min(float(block.values["communication_step"]) for block in blocks.values())
    try:
        return Settings(step=given).step  # type: ignore[arg-type]
    except SimulationError as problem:
        raise SimulationError(f"communication_{problem}") from None


def _example(blocks: Mapping[str, FmuBlock]) -> str:
    """An output that could be declared."""
    ports = [(path, port) for path, block in blocks.items() for port in block.output_ports]
    return next((f"{port}='{path}.{port}'" for path, port in ports), "flow='pump.flow'")


_OF_THE_WHOLE = (
    "component", "path", "communication_step", "only_interface", "parameters", "interfaces", "input_shapes",
)  # fmt: skip
"""Arguments that are not those of the FMU of what is ours."""


_DELAYS = re.compile(r"\S+\._\w+\.period")


def _own_fmu(remainder: Remainder, shapes: Mapping[str, tuple[int, ...]], asked: Mapping[str, Any]) -> bytes:
    """What is ours, as an FMU for co-simulation."""
    settings = {key: value for key, value in asked.items() if key not in _OF_THE_WHOLE}
    with tempfile.TemporaryDirectory(prefix="keelblocks-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", ExportWarning)  # outputs it has: those for the FMUs
        try:
            path = export(
                remainder.diagram, Path(folder) / "own.fmu", interfaces=["cs"],
                input_shapes={**{name: shape for name, shape in shapes.items() if shape}, **remainder.shapes},
                **settings,
            )  # fmt: skip
        except SimulationError as problem:  # of a delay by a communication step that nobody has put there
            raise SimulationError(_DELAYS.sub("communication_step", str(problem))) from None
        return path.read_bytes()


def _only_for(fmu: bytes, folders: set[str]) -> bytes:
    """The FMU without binaries that are in other folders."""
    with zipfile.ZipFile(BytesIO(fmu)) as opened:
        names = [n for n in opened.namelist() if not n.startswith("binaries/") or n.split("/")[1] in folders]
        if len(names) == len(opened.namelist()):
            return fmu
        return archive.pack({name: opened.read(name) for name in names})


def _with_guid(root: ET.Element, resources: Mapping[str, bytes]) -> bytes:
    """The description as text, with a GUID that is a hash of all that is in the container."""
    digest = hashlib.sha256(ET.tostring(root))
    for name, content in sorted(resources.items()):
        digest.update(name.encode() + hashlib.sha256(content).digest())
    token = digest.hexdigest()
    root.attrib["guid"] = "{" + "-".join((token[:8], token[8:12], token[12:16], token[16:20], token[20:32])) + "}"
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()
