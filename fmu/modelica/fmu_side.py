"""The C of a model around its FMU: a few lines for each function, and one file for what all FMUs have in common."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from fmu.exporting.export import export
from fmu.flat_c.header import plain
from fmu.flat_c.names import identifiers
from fmu.modelica.functions import Argument, Function
from fmu.modelica.subject import Subject

COMMON = Path(__file__).with_name("keelblocks_fmu.h")
"""What all FMUs have in common."""
_FILE = """\
/* {title}: what {package}.{model} calls, around its FMU. Written by Keelblocks {version}. */

#ifndef {upper}_INCLUDED
#define {upper}_INCLUDED

#include "keelblocks_fmu.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

static void {name}_free(void *plan)
{{
    keelblocks_fmu_free((keelblocks_fmu *)plan);
}}
{functions}
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
"""
_NEW = """
static {head}
{{
    keelblocks_fmu *const o = keelblocks_fmu_new("{model}", {folder}, "{identifier}", "{guid}", {start}, {step!r});
{body}    return o;
}}
"""
_FUNCTION = """
/* {doc} */
static {head}
{{
    keelblocks_fmu *const o = (keelblocks_fmu *)plan;
    keelblocks_fmu_go_to(o, t);
{body}}}
"""
_PUT = {"Real": "put", "Integer": "put_integers", "Enumeration": "put_integers", "Boolean": "put_booleans"}


def fmu_files(component: Diagram | Block, subject: Subject, how: Mapping[str, Any]) -> dict[str, bytes]:
    """The files of a model's FMU, for co-simulation by FMI 2.0, by their paths in it. how: its settings."""
    with tempfile.TemporaryDirectory() as scratch:
        path = export(component, Path(scratch) / "model.fmu", name=subject.name, fmi="2.0", interfaces="cs", **how)
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def c_around(
    subject: Subject, functions: Iterable[Function], files: Mapping[str, bytes], package: str, version: str
) -> str:
    """The text of `<name>.h`. files: those of the FMU."""
    description = files["modelDescription.xml"].decode()
    words = {
        "name": subject.c, "upper": subject.c.upper(), "package": package, "model": subject.name, "version": version,
        "title": plain(subject.model.name), "identifier": _attribute(description, "modelIdentifier"),
        "guid": _attribute(description, "guid"), "step": float(subject.model.settings.step),
    }  # fmt: skip
    return _FILE.format(functions="".join(_function(function, words) for function in functions), **words)


def _attribute(description: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', description)
    assert found
    return found[1]


def _function(function: Function, words: Mapping[str, Any]) -> str:
    names = identifiers([a.name for a in (*function.inputs, *function.outputs)], ("plan", "t", "o"))
    inputs, outputs = (
        tuple(Argument(names[a.name], a.place, a.shape, a.type, a.modelica_type) for a in those)
        for those in (function.inputs, function.outputs)
    )
    head = Function(function.kind, function.name, function.c, function.doc, inputs, outputs).c_head
    if function.kind == "constructor":
        start, folder, *parameters = inputs
        body = "".join(map(_put, parameters))
        return _NEW.format(head=head, body=body, start=start.name, folder=folder.name, **words)
    body = "".join(map(_put, inputs))
    if function.returned:
        body += "    return o->stopped;\n"
    else:
        body += "".join(f"    keelblocks_fmu_show(o, {a.place}u, {a.name}, {a.count}u);\n" for a in outputs)
    return _FUNCTION.format(head=head, doc=function.doc, body=body)


def _put(argument: Argument) -> str:
    address = argument.name if argument.shape else f"&{argument.name}"
    return f"    keelblocks_fmu_{_PUT[argument.type]}(o, {argument.place}u, {address}, {argument.count}u);\n"
