"""The table of the page on formulas is that of the language."""

from __future__ import annotations

from pathlib import Path

from blocks.formula.functions import VOCABULARY

PAGE = Path(__file__).parents[2] / "docs" / "formulas.md"


def table() -> str:
    """All functions and operators by groups, in Markdown."""
    lines = ["| group | written | what it is |", "|---|---|---|"]
    for group, words in VOCABULARY.items():
        for i, (usage, what) in enumerate(words):
            lines.append(f"| {'' if i else group} | `{usage}` | {what.replace('|', '&#124;')} |")
    return "\n".join(lines)


def test_the_page_has_all_functions() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")
