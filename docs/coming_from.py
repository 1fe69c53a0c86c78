"""Write the tables of docs/coming_from from what blocks.elsewhere knows: python docs/coming_from.py."""

from __future__ import annotations

import re
from pathlib import Path

from blocks.elsewhere import BLOCKS, SOLVERS, Counterpart

HERE = Path(__file__).resolve().parent / "coming_from"
_TABLE = re.compile(r"(<!-- (solvers|blocks): (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> dict[Path, str]:
    """Every page with its tables as they should be."""
    return {path: _TABLE.sub(_filled, path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("*.md"))}


def _filled(found: re.Match[str]) -> str:
    rows = [row for row in (SOLVERS if found[2] == "solvers" else BLOCKS) if row.tool == found[3]]
    return f"{found[1]}{table(found[3], rows)}\n{found[4]}"


def table(tool: str, rows: list[Counterpart]) -> str:
    """Counterparts with the same ones here in one row."""
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for row in rows:
        groups.setdefault((row.ours, row.note), []).append(row.theirs)
    lines = [f"| {tool} | here | |", "|---|---|---|"]
    for (ours, note), theirs in groups.items():
        lines.append(f"| {', '.join(theirs)} | {', '.join(f'`{name}`' for name in ours) or '–'} | {note} |")
    return "\n".join(lines)


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
