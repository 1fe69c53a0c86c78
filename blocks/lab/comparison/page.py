"""The report of a comparison: one HTML file that needs nothing else, neither files beside it nor a network."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.lab.comparison.figures import FIGURES, png
from blocks.lab.comparison.figures.frame import Frame
from blocks.lab.comparison.levels import named, number_text
from blocks.lab.comparison.page_style import STYLE
from blocks.lab.comparison.summary import Row
from blocks.plan.flatten import instance_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from blocks.lab.comparison.outcome import ComparisonOutcome

_MOST_MEMBERS = 2000
_PROVENANCE = (
    "keelblocks", "python", "numpy", "machine", "date", "study", "plans", "numbers", "seed", "solver", "step", "start",
    "end", "every", "command",
)  # fmt: skip
_LONGEST = 400
"""Characters of a value of a parameter."""


def page(
    compared: ComparisonOutcome, figures: Mapping[str, Figure], pictures: Mapping[str, bytes] | None = None
) -> str:
    """The report. `pictures` are the figures as PNG, if they are there already."""
    drawn = pictures if pictures is not None else {name: png(figure) for name, figure in figures.items()}
    source = compared.comparison.source
    sections = (
        _head(compared), _summary(compared), _best(compared), _failures(compared), _figures(compared, drawn),
        _diagram(compared), _members(compared), _parameters(compared), _again(compared),
    )  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(source.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(section for section in sections if section)
        + "\n</main>\n</body>\n</html>\n"
    )


def _head(compared: ComparisonOutcome) -> str:
    source, study = compared.comparison.source, compared.comparison.study
    factors = list(compared.comparison.levels().items())
    about = study.description
    seeds = f", {about['replicates']} replicates, seed {about['seed']}" if about["replicates"] > 1 else ""
    how = f"{about['solver']}, step {about['step']:g} s, from {about['start']:g} s to {about['end']:g} s{seeds}"
    question = f"<p class=question>{escape(source.question)}</p>" if source.question else ""
    metrics = [
        (name, compared.comparison.texts.get(name, ""), unit if unit != "1" else "")
        for name, unit in compared.outcome.units.items()
    ]
    return (
        f"<h1>{escape(source.title)}</h1>{question}"
        f"<p>{_counted(len(compared.outcome), 'run')}: {escape(compared.counts())}. {escape(how)}.</p>"
        f"<h2>What differs, and what is measured</h2><div class=wide>{_table(('factor', 'levels'), factors)}"
        f"{_table(('metric', 'definition', 'unit'), metrics)}</div>"
    )


def _summary(compared: ComparisonOutcome) -> str:
    found = "<h2>Summary</h2><p>Mean ± standard deviation of the members with that level, and from the least to the "
    found += f"greatest value below.</p><div class=wide>{_rows(compared, compared.rows)}</div>"
    combined = compared.combinations
    if combined:
        found += (
            f"<details><summary>By combination of levels</summary><div class=wide>{_rows(compared, combined)}</div>"
        )
        found += "</details>"
    return found


def _rows(compared: ComparisonOutcome, rows: Sequence[Row]) -> str:
    units = compared.outcome.units
    header = ["factor", "level", "runs", "failed", *(named(name, unit) for name, unit in units.items())]
    lines = []
    before = ""
    for row in rows:
        cells = [escape(row.factor if row.factor != before else ""), escape(row.level), str(row.members)]
        cells.append(f"<b class=bad>{row.failed}</b>" if row.failed else "0")
        for one in row.metrics.values():
            if not one.count:
                cells.append("–")
                continue
            few = f" <small>({one.count} of {row.members})</small>" if one.count < row.members else ""
            if one.count == 1:
                cells.append(f"{number_text(one.mean)}{few}")
                continue
            cells.append(
                f"{number_text(one.mean)} ± {number_text(one.deviation, 2)}{few}<br><small>{number_text(one.least)} … "
                f"{number_text(one.greatest)}</small>"
            )
        lines.append((row.factor != before, cells))
        before = row.factor
    body = "".join(
        f"<tr{' class=first' if first else ''}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for first, cells in lines
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _best(compared: ComparisonOutcome) -> str:
    lines = []
    for name, unit in compared.outcome.units.items():
        members = compared.best(name, 1)
        values = compared.metrics[name]
        if not members or np.ptp(values[np.isfinite(values)]) == 0.0:
            continue
        which = "greatest" if compared.more_is_better(name) else "least"
        levels = compared.levels(members[0])
        said = ", ".join(f"{key}: {value}" for key, value in levels.items())
        lines.append((f"{which} {named(name, unit)}", number_text(values[members[0]]), said, str(members[0])))
    if not lines:
        return ""
    found = f"<h2>Best members</h2><div class=wide>{_table(('', 'value', 'of', 'member'), lines)}</div>"
    front = compared.front
    if compared.objectives and len(front) > 1:
        first, second = compared.objectives
        units = compared.outcome.units
        rows = [
            (
                number_text(compared.metrics[first][n]), number_text(compared.metrics[second][n], 6),
                ", ".join(f"{key}: {value}" for key, value in compared.levels(n).items()), str(n),
            )
            for n in front[:20]
        ]  # fmt: skip
        header = (named(first, units[first]), named(second, units[second]), "of", "member")
        found += f"<p>On the Pareto front of {escape(first)} and {escape(second)}:</p>"
        found += f"<div class=wide>{_table(header, rows)}</div>"
    return found


def _failures(compared: ComparisonOutcome) -> str:
    if not compared.reasons and not compared.note:
        return ""
    found = f"<h2>What failed</h2><p>{escape(compared.counts())}.</p>"
    if compared.reasons:
        rows = [(str(count), reason, str(first)) for reason, count, first in compared.reasons[:30]]
        found += f"<div class=wide>{_table(('members', 'reason', 'such as member'), rows)}</div>"
    if compared.note:
        found += f"<p class=bad>Figures over time could not be made: {escape(compared.note)}</p>"
    return found


def _figures(compared: ComparisonOutcome, pictures: Mapping[str, bytes]) -> str:
    if not pictures:
        return ""
    note = Frame(compared).note()
    are = "is" if len(compared.runs) == 1 else "are"
    shown = f"{_counted(len(compared.runs), 'member')} {are} shown over time and from above" if compared.runs else ""
    shown += f", with {note}" if note and shown else ""
    found = "<h2>Figures</h2>" + (f"<p>{escape(shown)}.</p>" if shown else "")
    for name, data in pictures.items():
        caption = FIGURES[name].caption
        encoded = base64.b64encode(data).decode()
        found += (
            f'<figure id="{escape(name)}"><img alt="{escape(caption)}" src="data:image/png;base64,{encoded}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
        )
    return found


def _diagram(compared: ComparisonOutcome) -> str:
    subject = compared.comparison.study.diagram
    if not isinstance(subject, Diagram):
        return ""
    drawing = re.sub(r"<\?xml.*?\?>\s*", "", subject.draw())
    return f"<h2>Diagram</h2><div class='wide drawing'>{drawing}</div>"


def _members(compared: ComparisonOutcome) -> str:
    table = compared.table
    names = list(table.columns)
    units = table.attrs.get("units", {})
    header = [named(name, units.get(name, "")) for name in names]
    rows = [
        [number_text(value, 6) if isinstance(value, float) else str(value) for value in row]
        for row in table.head(_MOST_MEMBERS).itertuples(index=False, name=None)
    ]
    more = f" (the first {_MOST_MEMBERS:,} of {len(table):,}; all are in table.csv)" if len(table) > len(rows) else ""
    return (
        f"<h2>Every member</h2><details><summary>{_counted(len(table), 'row')}{more}</summary>"
        f"<div class=wide>{_table(header, rows)}</div></details>"
    )


def _parameters(compared: ComparisonOutcome) -> str:
    subject = compared.comparison.study.diagram
    blocks = subject.blocks() if isinstance(subject, Diagram) else {subject.name or instance_name(subject): subject}
    varied = {target for factor in compared.comparison.study.factors for target in factor.all_targets()}
    found = "<h2>Every parameter</h2><p>As it is where no factor changes it; what factors change is marked with *.</p>"
    for path, block in blocks.items():
        rows = []
        for name, value in _values(block).items():
            mark = "*" if f"{path}.{name}" in varied else ""
            rows.append((name + mark, _value(value), _unit(block, name), block.all_parameters()[name].doc))
        mark = "*" if path in varied else ""
        body = f"<div class=wide>{_table(('parameter', 'value', 'unit', ''), rows)}</div>" if rows else "<p>None.</p>"
        name = f"{escape(path)}{mark} <small>{escape(block.type_name())}</small>"
        found += f"<details><summary>{name}</summary>{body}</details>"
    return found


def _values(block: Block) -> dict[str, Any]:
    known = block.all_parameters()
    return {name: value for name, value in block.values.items() if name in known}


def _unit(block: Block, name: str) -> str:
    unit = block.all_parameters()[name].unit
    text = ", ".join(dict.fromkeys(unit)) if isinstance(unit, tuple) else unit or ""
    return "" if text == "1" else text


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = np.array2string(value, precision=8, separator=", ", threshold=200, max_line_width=120)
    elif isinstance(value, (float, np.floating)):
        text = f"{float(value):.10g}"
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _again(compared: ComparisonOutcome) -> str:
    source, attributes = compared.comparison.source, compared.outcome.attributes
    command = source.command or attributes.get("command", "")
    rows = [(key, str(attributes[key])) for key in _PROVENANCE if key in attributes]
    found = f"<h2>Run it again</h2><pre class=command>{escape(str(command))}</pre>"
    found += (
        "<p>gives the same numbers with the version of Keelblocks that stands below, to the last bit on the same kind "
    )
    found += "of machine.</p>"
    found += f"<div class=wide>{_table(('', ''), rows)}</div>"
    for path, text in source.files.items():
        found += f"<details><summary>{escape(path)}</summary><pre>{escape(text)}</pre></details>"
    return found


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text, all of it escaped."""
    head = f"<thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in header)}</tr></thead>" if any(header) else ""
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"
