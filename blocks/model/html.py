"""A block as notebooks show it: what it is, its ports, and its parameters with their values and units."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from blocks.model.block import Block
from blocks.model.declare import Input, Output
from blocks.model.describe import summary, unit_text
from blocks.model.wiring import count

_FULL = 16
"""An array of no more elements is shown whole."""


def block_html(block: Block) -> str:
    """The block with what it has by name."""
    name = f"{escape(block.name)}: " if block.name else ""
    ports = [(p.name, "input", *_of(p)) for p in block.input_ports.values()]
    ports += [(p.name, "output", *_of(p)) for p in block.output_ports.values()]
    values = [
        (name, _shown(block.values[name]), "" if isinstance(block.values[name], (str, bool)) else unit, doc)
        for name, unit, doc in (
            (name, unit_text(parameter.unit), parameter.doc) for name, parameter in block.all_parameters().items()
        )
    ]
    about = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(summary(type(block))))
    opened = " open" if len(values) <= _FULL else ""
    parameters = _table(("parameter", "value", "unit", ""), values) if values else ""
    return (
        f"<div><strong>{name}{escape(block.type_name())}</strong> {about}"
        f"{_table(('port', '', 'signal', ''), ports)}"
        f"<details{opened}><summary>{count(len(values), 'parameter')}</summary>{parameters}</details></div>"
    )


def _of(port: Input | Output) -> tuple[str, str]:
    default = isinstance(port, Input) and port.default is not None
    return str(port.signal), port.doc + (" (need not be connected)" if default else "")


def _shown(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if value.size <= _FULL:
        return str(np.array2string(value, separator=", ", formatter={"float_kind": "{:.4g}".format}))
    return f"{'×'.join(map(str, value.shape))} numbers"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    left = "style='text-align:left'"
    top = "".join(f"<th {left}>{escape(name)}</th>" for name in head)
    lines = ("".join(f"<td {left}>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{top}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
