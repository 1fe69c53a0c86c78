"""documentation/index.html of an FMU: what the model is, its variables, and what its blocks compute."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from html import escape

from blocks.plan.settings import ADAPTIVE, Settings
from fmu import units
from fmu.description.model import Model, version
from fmu.description.variables import Variable

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b2733; background: #fff }
h1, h2, h3 { line-height: 1.2 } h2 { margin-top: 2.5rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #d8dee4; vertical-align: top }
td:first-child { font-family: ui-monospace, monospace; font-size: .9em; white-space: nowrap }
td:nth-child(3) { overflow-wrap: anywhere }
pre { white-space: pre-wrap; font: .85em/1.5 ui-monospace, monospace; background: #f5f7f9; padding: .8rem 1rem }
figure { margin: 1.5rem calc(50% - 48vw); overflow-x: auto } figure svg { display: block; margin: auto }
@media (prefers-color-scheme: dark) {
  body { color: #dbe4ee; background: #0d1420 } th, td { border-color: #2a3648 } pre { background: #151f2e }
}
"""
_SECTIONS = {
    "input": "Inputs", "output": "Outputs", "structuralParameter": "Sizes", "parameter": "Parameters",
    "calculatedParameter": "Calculated parameters", "local": "What this FMU was made with",
}  # fmt: skip
_INTERFACES = {"cs": "co-simulation", "me": "model exchange"}
_SHOWN_VALUES = 36


def index_html(model: Model, fmi: str) -> bytes:
    """A page about a model."""
    kinds = " and ".join(_INTERFACES[name] for name in model.interfaces)
    parts = [
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(model.name)}</title>',
        f"<style>{STYLE}</style></head><body><h1>{escape(model.name)}</h1>",
        f"<p>{escape(model.description)}</p>" if model.description else "",
        f"<figure>{model.drawing.svg}</figure>",
        f"<p>{escape(_about(model.settings, 'cs' in model.interfaces))}</p>",
        "".join(f"<p>{name.capitalize()}: {escape(text)}</p>" for name, text in model.notes.items()),
    ]
    if model.libraries:
        parts.append(f"<p>With compiled blocks of {escape(', '.join(model.libraries))}.</p>")
    sizes = fmi != "2.0" and model.arrays
    for causality, title in _SECTIONS.items():
        rows = [variable_row(v, sizes) for v in model.variables if v.causality == causality and _is_shown(v, sizes)]
        if rows:
            parts += [f"<h2>{title}</h2>", table(("name", "unit", "start", "description"), rows)]
    leaves = model.plan.flat.leaves
    parts.append("<h2>Blocks</h2>")
    parts.append(table(("name", "block"), [(leaf.name, type(leaf.block).type_name()) for leaf in leaves]))
    documented = {type(leaf.block).type_name(): type(leaf.block).__doc__ or "" for leaf in leaves}
    parts += [block_html(name, text) for name, text in sorted(documented.items())]
    parts.append(f"<p>FMI {fmi} for {kinds}, written by Keelblocks {escape(version())}.</p>")
    return "\n".join([*(part for part in parts if part), "</body></html>\n"]).encode()


def _is_shown(variable: Variable, sizes: bool) -> bool:
    """Of what is local, constants only; sizes where they are variables."""
    if variable.causality == "local":
        return variable.variability == "constant"
    return sizes or variable.role != "size"


def _about(settings: Settings, steps: bool) -> str:
    """How the model is integrated, and in what units."""
    units_text = "Values are in SI units and radians."
    if not steps:
        return units_text
    if settings.solver in ADAPTIVE:
        how = f"with steps of its own, to a relative tolerance of {settings.relative_tolerance:g}"
    else:
        how = f"with a step of {settings.step:g} s"
    return f"In co-simulation it is integrated by {settings.solver} {how}. {units_text}"


def block_html(name: str, docstring: str, level: int = 3) -> str:
    """What a type of block computes, below a heading."""
    return f"<h{level}>{escape(name)}</h{level}><pre>{escape(inspect.cleandoc(docstring))}</pre>"


def variable_row(variable: Variable, sizes: bool) -> tuple[str, str, str, str]:
    """A line of a table; where sizes are variables, a size that may change stands there by its name."""
    rows = [variable.size.rpartition(".")[2]] if sizes and variable.size else []
    shape = "×".join([*rows, *map(str, variable.place.shape[len(rows) :])])
    names = dict.fromkeys(variable.unit(i) for i in range(variable.place.count)) if variable.type == "Real" else {}
    unit = ", ".join(units.unit(name).name for name in names if name is not None)
    start = "" if variable.start is None else _start(variable)
    return f"{variable.name}[{shape}]" if shape else variable.name, unit, start, variable.place.doc


def _start(variable: Variable) -> str:
    assert variable.start is not None
    if variable.choices:
        return variable.choices[int(variable.start[0]) - 1]
    if variable.type == "Boolean":
        return "true" if variable.start[0] else "false"
    shown = [f"{value:g}" for value in variable.start[:_SHOWN_VALUES].tolist()]
    return ", ".join(shown) + (", …" if len(variable.start) > len(shown) else "")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table without the columns that are empty."""
    columns = [(title, *texts) for title, *texts in zip(head, *rows, strict=True) if any(texts)]
    head, *rows = zip(*columns, strict=True)
    cells = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>\n" for row in rows)
    return f"<table><tr>{cells}</tr>\n{body}</table>"
