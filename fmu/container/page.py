"""documentation/index.html of a container: the diagram, the FMUs in it, and the variables."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

from fmu.description.documentation import STYLE, table
from fmu.description.model import version
from fmu.foreign.importer import FmuBlock

_SECTIONS = {"input": "Inputs", "output": "Outputs", "parameter": "Parameters"}


def page(description: ET.Element, svg: str, blocks: Mapping[str, FmuBlock], step: float) -> bytes:
    """The page."""
    name, about = description.attrib["modelName"], description.get("description", "")
    rows = [(path, Path(b.file).name, f"FMI {b.description.model.fmiVersion}", _about(b)) for path, b in blocks.items()]
    parts = [
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>',
        f"<style>{STYLE}</style></head><body><h1>{escape(name)}</h1>",
        f"<p>{escape(about)}</p>" if about else "",
        f"<figure>{svg}</figure>",
        f"<p>A system of FMUs as one: they exchange values every {step:g} s. Each is in resources, with its own "
        "documentation and licence.</p>",
        "<h2>FMUs</h2>",
        table(("name", "file", "version", "description"), rows),
    ]
    for causality, title in _SECTIONS.items():
        found = [_row(v) for v in description.iter("ScalarVariable") if v.get("causality") == causality]
        if found:
            parts += [f"<h2>{title}</h2>", table(("name", "unit", "start", "description"), found)]
    parts.append(f"<p>FMI 2.0 for co-simulation, written by Keelblocks {escape(version())}.</p>")
    return "\n".join([*(part for part in parts if part), "</body></html>\n"]).encode()


def _about(block: FmuBlock) -> str:
    model = block.description.model
    return "; ".join(" ".join(text.split()) for text in (model.description, model.generationTool) if text)


def _row(variable: ET.Element) -> tuple[str, str, str, str]:
    value = variable[0].attrib
    return variable.attrib["name"], value.get("unit", ""), value.get("start", ""), variable.get("description", "")
