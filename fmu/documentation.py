"""documentation/index.html of an FMU: what the model is, its variables, and what its blocks compute."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from html import escape

from fmu import units
from fmu.model_description import Model
from fmu.variables import Variable

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733 }
h1, h2, h3 { line-height: 1.2 } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #d8dee4; vertical-align: top }
pre { white-space: pre-wrap; font: inherit; background: #f5f7f9; padding: .8rem 1rem }
"""
_TITLES = {"input": "Inputs", "output": "Outputs", "parameter": "Parameters"}


def index_html(model: Model) -> bytes:
    """A page about a model."""
    settings = model.settings
    parts = [
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(model.name)}</title>',
        f"<style>{_STYLE}</style></head><body><h1>{escape(model.name)}</h1>",
        f"<p>{escape(model.description)}</p>" if model.description else "",
        f"<p>Integrated by {settings.solver} with a step of {settings.step:g} s. SI units and radians throughout.</p>",
    ]
    for causality, title in _TITLES.items():
        rows = [row for v in model.variables if v.causality == causality for row in [_row(v)]]
        if rows:
            parts += [f"<h2>{title}</h2>", _table(("name", "unit", "start", "description"), rows)]
    parts.append("<h2>Blocks</h2>")
    parts.append(_table(("name", "block"), [(leaf.name, type(leaf.block).type_name()) for leaf in model.flat.leaves]))
    for kind in sorted({type(leaf.block) for leaf in model.flat.leaves}, key=lambda k: k.type_name()):
        text = inspect.cleandoc(kind.__doc__ or "")
        parts.append(f"<h3>{escape(kind.type_name())}</h3><pre>{escape(text)}</pre>")
    return "\n".join([*(p for p in parts if p), "</body></html>\n"]).encode()


def _row(variable: Variable) -> tuple[str, str, str, str]:
    shape = "×".join(map(str, variable.place.shape))
    names = dict.fromkeys(variable.unit(i) for i in range(variable.place.count))
    unit = ", ".join(units.unit(name).name for name in names if name is not None)
    start = "" if variable.start is None else _start(variable)
    return f"{variable.name}[{shape}]" if shape else variable.name, unit, start, variable.place.doc


def _start(variable: Variable) -> str:
    assert variable.start is not None
    if variable.choices:
        return variable.choices[int(variable.start[0]) - 1]
    if variable.type == "Boolean":
        return "true" if variable.start[0] else "false"
    shown = [f"{value:g}" for value in variable.start[:36]]
    return ", ".join(shown) + (", …" if len(variable.start) > len(shown) else "")


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = "".join(f"<th>{escape(text)}</th>" for text in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>\n" for row in rows)
    return f"<table><tr>{cells}</tr>\n{body}</table>"
