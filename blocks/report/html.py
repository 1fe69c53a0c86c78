"""A result as notebooks show it: what ran, how it ended, and a line for each quantity with a small curve."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import NDArray

from blocks import style
from blocks.report.summary import Item
from blocks.run.result import Result
from blocks.units import for_people

Array = NDArray[np.float64]

_OPEN, _MOST = 12, 60
"""So many quantities are shown at once, and so many at most."""
_WIDTH, _HEIGHT, _POINTS = 120, 20, 60


def result_html(result: Result, title: str, items: list[Item]) -> str:
    """The summary as a table, and below it what was recorded."""
    left = "style='text-align:left'"
    said = [(escape(item.label), escape(item.text)) for item in items if item.label]
    rows = "".join(f"<tr><th {left}>{label}</th><td {left}>{text}</td></tr>" for label, text in said)
    heading = f"<strong>{escape(title)}</strong>" if title else "<strong>Result</strong>"
    message = str(result.attributes.get("message", ""))
    why = f"<div style='white-space:pre-wrap'>{escape(message)}</div>" if message else ""
    return f"<div>{heading}{why}<table>{rows}</table>{_quantities(result)}</div>"


def _quantities(result: Result) -> str:
    names = list(result)[:_MOST]
    head = "<tr><th style='text-align:left'>quantity</th><th>unit</th><th>last</th><th></th></tr>"
    rows = "".join(row for name in names for row in _row(result, name))
    more = f"<div>and {len(result.places) - _MOST} more</div>" if len(result.places) > _MOST else ""
    count = f"{len(result.places)} quantities at {len(result):,} points"
    opened = " open" if len(names) <= _OPEN else ""
    return f"<details{opened}><summary>{count}</summary><table>{head}{rows}</table>{more}</details>"


def _row(result: Result, name: str) -> Iterator[str]:
    """One row: a curve of the element that changes most, for a vector by its unit."""
    if not len(result):
        return
    table = result.values(name).reshape(len(result), -1)
    units, labels = result.element_units(name), result.labels(name)
    place = result.places[name]
    shapes = {unit: f"{for_people(unit)[0]}" for unit in units}
    last = ", ".join(f"{for_people(unit)[1] * value:.4g}" for unit, value in zip(units, table[-1], strict=True))
    if table.shape[1] > 6:
        last = f"{'×'.join(map(str, place.shape))} numbers"
    about = escape(place.doc or "")
    elements = f" [{', '.join(labels)}]" if labels else ""
    yield (
        f"<tr title='{about}'><td style='text-align:left'><code>{escape(name)}</code>{escape(elements)}</td>"
        f"<td>{escape(', '.join(shapes.values()))}</td><td>{escape(last)}</td><td>{_curves(table)}</td></tr>"
    )


def _curves(table: Array) -> str:
    """Small curves of up to six elements, each over its own range."""
    chosen = np.unique(np.linspace(0, len(table) - 1, min(_POINTS, len(table))).astype(int))
    lines = []
    for number, series in enumerate(table[chosen].T[:6]):
        span = float(np.ptp(series))
        if not np.isfinite(span):
            return ""
        if span <= 0.0:
            continue
        x = np.linspace(1.0, _WIDTH - 1.0, len(series))
        y = 1.0 + (_HEIGHT - 2.0) * (1.0 - (series - series.min()) / span)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        colour = style.SERIES[number % len(style.SERIES)]
        lines.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='1'/>")
    if not lines:
        return "constant"
    return f"<svg width='{_WIDTH}' height='{_HEIGHT}' role='img'>{''.join(lines)}</svg>"
