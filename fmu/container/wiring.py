"""How what is left of a diagram and its FMUs are connected in a container, and what of them is seen from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from fmu.container.parts import INSTEAD, is_sized
from fmu.container.remainder import Remainder, Wire
from fmu.container.starts import start_texts
from fmu.container.toolbox import Wiring
from fmu.description.shown import Shown as ShownParameters
from fmu.foreign.importer import FmuBlock
from fmu.ssp.carried import Carrier

_INDICES = re.compile(r"\[[\d,]+\]\Z")
TYPES = {"Float64": "Real", "Int32": "Integer"}
"""Types of FMI 3.0 that an FMU of FMI 2.0 can show, and as what."""


@dataclass
class Shown:
    """A variable that the container shows: its name there, whose it is, and its element in that one's description."""

    name: str
    fmu: str
    variable: ET.Element


@dataclass
class Arrangement:
    """What is packed, and the variables of the container in order."""

    wiring: Wiring = field(default_factory=Wiring)
    shown: list[Shown] = field(default_factory=list)

    def show_only(self, wanted: ShownParameters) -> None:
        """Leave out the parameters that are not wanted. Raises ExportError for one that there is not."""
        if wanted.parameters is None:
            return
        parameters = [shown.name for shown in self.shown if shown.variable.attrib["causality"] == "parameter"]
        wholes = {name: _INDICES.sub("", name) for name in parameters}
        chosen = wanted.chosen(list(dict.fromkeys(wholes.values())))
        left = {name for name, whole in wholes.items() if whole not in chosen}
        self.shown = [shown for shown in self.shown if shown.name not in left]
        for name in left:
            del self.wiring.inputs[name]


def arrangement_of(
    remainder: Remainder, own: bytes, own_description: ET.Element, others: Mapping[str, bytes]
) -> Arrangement:
    """Connect all.

    own: the FMU of the remainder; others: those of the blocks, by their paths. Raises ExportError for what a container
    cannot connect.
    """
    made = Arrangement()
    wiring = made.wiring
    names = _file_names(others)
    for path, content in others.items():
        wiring.fmus[names[path]] = content
    wiring.fmus[OWN] = own  # last: it steps with what the others have given
    scalars = _Scalars(own_description)
    _show_own(made, remainder, own_description)
    for wire in remainder.given:
        for theirs, ours in _pairs(wire, remainder.blocks[wire.path], scalars):
            wiring.links.append(((names[wire.path], theirs), (OWN, ours)))
    for wire in remainder.taken:
        pairs = list(_pairs(wire, remainder.blocks[wire.path], scalars))
        direct = scalars.names.get(remainder.direct.get(wire.port, ""), [])
        for number, (theirs, ours) in enumerate(pairs):
            if len(direct) == len(pairs):  # an input of the whole: what is set there arrives at once
                wiring.inputs[direct[number]].append((names[wire.path], theirs))
            else:
                wiring.links.append(((OWN, ours), (names[wire.path], theirs)))
    for out, back in remainder.loops:
        for ours, again in zip(scalars.names[out], scalars.names[back], strict=True):
            wiring.links.append(((OWN, ours), (OWN, again)))
    for path, block in remainder.blocks.items():
        _show_parameters(made, path, names[path], block)
        for variable in Carrier().parameters(block):
            text = variable.start or ""
            if variable.kind == "String" and text.split() != [text]:
                raise ExportError(
                    f"{path}.{variable.name} of {block.file} is {text!r}: a container sets texts without blanks only: "
                    f"leave it as the FMU has it, or {INSTEAD}"
                )
            wiring.starts[names[path], variable.name] = text
        fed = {wire.fmu_port for wire in remainder.taken if wire.path == path}
        for port in block.input_ports:
            if port not in fed and port not in block.face.fixed and not is_sized(block.face.sources[port]):
                for name, text in start_texts(block, port):
                    wiring.starts[names[path], name] = text
    return made


OWN = "keelblocks.fmu"
"""The name of the remainder's FMU in a container."""


def _file_names(others: Mapping[str, bytes]) -> dict[str, str]:
    """Of the other FMUs, each once for every block, for an instance is a folder."""
    found: dict[str, str] = {}
    for path in others:
        stem = path.replace(".", "_")
        name, number = f"{stem}.fmu", 2
        while name.lower() in {OWN, *(taken.lower() for taken in found.values())}:
            name, number = f"{stem}_{number}.fmu", number + 1
        found[path] = name
    return found


class _Scalars:
    """The scalar variables of the remainder by the port that they are of, and their value references."""

    def __init__(self, description: ET.Element) -> None:
        self.names: dict[str, list[str]] = {}
        self.references: dict[str, int] = {}
        for variable in description.iter("ScalarVariable"):
            name = variable.attrib["name"]
            self.names.setdefault(_INDICES.sub("", name), []).append(name)
            self.references[name] = int(variable.attrib["valueReference"])


def _pairs(wire: Wire, block: FmuBlock, scalars: _Scalars) -> Iterator[tuple[str, str]]:
    """Names of variables that belong together, theirs and ours."""
    members, ours = wire.variable.members, scalars.names[wire.port]
    if len(members) == len(ours):
        yield from zip((member.name for member in members), ours, strict=True)
        return
    references = [scalars.references[name] for name in ours]  # an array, which the runtime takes from a row of scalars
    if len(members) > 1 or references != list(range(references[0], references[0] + len(references))):
        raise ExportError(
            f"{wire.fmu_port} of {block._called()} is an array that a container does not pass on as it is here: "
            f"{INSTEAD}"
        )
    yield members[0].name, wire.port


def _show_own(made: Arrangement, remainder: Remainder, description: ET.Element) -> None:
    """Inputs, outputs, parameters and locals of what is ours, without what is there for the FMUs."""
    inner = remainder.inner_ports
    stand_ins = tuple(f"{path}." for path in remainder.blocks)
    for variable in description.iter("ScalarVariable"):
        name, causality = variable.attrib["name"], variable.attrib.get("causality", "local")
        base = _INDICES.sub("", name)
        if base in inner or causality in ("independent", "calculatedParameter"):
            continue
        seen = name
        if base.startswith(stand_ins):
            if base not in remainder.shown:
                continue
            seen = remainder.shown[base] + name[len(base) :]
        made.shown.append(Shown(seen, OWN, variable))
        if causality in ("input", "parameter"):
            made.wiring.inputs[seen] = [(OWN, name)]
        else:
            made.wiring.outputs[seen] = (OWN, name)


def _show_parameters(made: Arrangement, path: str, name: str, block: FmuBlock) -> None:
    """The parameters of an FMU, by the path of its block."""
    description = ET.fromstring(block.description.package.read("modelDescription.xml"))
    taken = {shown.name for shown in made.shown}
    variables = description.find("ModelVariables")
    for variable in () if variables is None else variables:
        if variable.attrib.get("causality") != "parameter":
            continue
        if block.description.fmi == 3 and (variable.tag not in TYPES or variable.find("Dimension") is not None):
            continue
        seen = f"{path}.{variable.attrib['name']}"
        if seen not in taken:
            made.shown.append(Shown(seen, name, variable))
            made.wiring.inputs[seen] = [(name, variable.attrib["name"])]
