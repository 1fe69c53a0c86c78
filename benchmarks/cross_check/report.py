"""The table of docs/fmus/cross_check.md: which tool takes which FMU, how near it comes, and what it rejects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.cross_check.importers.importer import Importer
from benchmarks.cross_check.models import MODELS
from benchmarks.cross_check.rules import INTERFACES, VERSIONS
from benchmarks.cross_check.running import Outcome

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fmus" / "cross_check.md"
_PART = re.compile(r"(<!-- cross-check -->\n).*?(<!-- end -->)", re.DOTALL)
_ABOVE_ROUNDING = 1e-15


def write(page: Path, outcomes: Sequence[Outcome], missing: Mapping[str, str]) -> None:
    """Write the tables into a page. Raises ValueError."""
    made = with_table(page.read_text(encoding="utf-8"), f"{models_table()}\n\n{tables(outcomes, missing)}")
    page.write_text(made, encoding="utf-8")


def with_table(page: str, table: str) -> str:
    """The page with another table between its markers. Raises ValueError if it has none."""
    if len(_PART.findall(page)) != 1:
        raise ValueError("the page wants the markers <!-- cross-check --> and <!-- end -->, once")
    return _PART.sub(lambda found: f"{found[1]}{table}\n{found[2]}", page)


def tables(outcomes: Sequence[Outcome], missing: Mapping[str, str]) -> str:
    """Markdown: a row for each tool, a column for each version and interface; what is rejected or failed; what is not
    run. The same for equal outcomes."""
    kinds = [(version, interface) for version in VERSIONS for interface in INTERFACES]
    heads = " | ".join(f"{version} {interface}" for version, interface in kinds)
    lines = [f"| tool | platform | {heads} |", f"|---|---|{'---|' * len(kinds)}"]
    for (tool, platforms), own in _by_tool(outcomes).items():
        cells = [_cell([one for one in own if (one.place.version, one.place.interface) == kind]) for kind in kinds]
        lines.append(f"| {tool} | {platforms} | {' | '.join(cells)} |")
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for one in outcomes:
        if one.verdict != "passed":
            kind = f"{one.place.model} ({one.place.version} {one.place.interface})"
            grouped.setdefault((one.importer.name, one.verdict, one.why), []).append(kind)
    if grouped:
        lines += ["", "| tool | FMU | |", "|---|---|---|"]
        for (tool, verdict, why), what in grouped.items():
            lines.append(f"| {tool} | {', '.join(what)} | {verdict}: {why} |")
    if missing:
        lines += ["", *(f"- not run: {name}, which needs {needed}" for name, needed in missing.items())]
    return "\n".join(lines)


def models_table() -> str:
    """What is exported."""
    lines = ["| model | what it is |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{model.name}` | {model.about} |" for model in MODELS)])


def _by_tool(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], list[Outcome]]:
    """By name with version, and platforms: checkers have all platforms in one row."""
    tools: dict[Importer, list[Outcome]] = {}
    for one in outcomes:
        tools.setdefault(one.importer, []).append(one)
    return {
        (f"{tool.name} {_number(tool)}", ", ".join(dict.fromkeys(one.place.platform for one in own))): own
        for tool, own in tools.items()
    }


def _number(tool: Importer) -> str:
    said = tool.version()
    return said if said[:1].isdigit() else f"({said})"


def _cell(own: Sequence[Outcome]) -> str:
    """How many passed of those that were not rejected, and the worst deviation of these."""
    taken = [one for one in own if one.verdict != "rejected"]
    if not taken:
        return "rejected" if own else "–"
    passed = [one for one in taken if one.verdict == "passed"]
    far = [one.deviation.relative for one in passed if one.deviation]
    said = f"{len(passed)} of {len(taken)}"
    if not far:
        return said
    return f"{said}, same bits" if max(far) == 0.0 else f"{said}, {max(max(far), _ABOVE_ROUNDING):.0e}"
