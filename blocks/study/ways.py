"""By what members of a study were run, as workers count it, and what a study says of that."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from blocks.compiled.choice import Choice


class Way(NamedTuple):
    """How a member was run: by the engine, by compiled code, or by that side by side with others.

    width: how many the code takes at once; 1: one alone; 0: by the engine. instructions: what the processor takes them
    by. why_not: why it was the engine where code was wanted.
    """

    width: int = 0
    instructions: str = ""
    why_not: str = ""


def side_by_side(width: int, instructions: str) -> str:
    """In words, that members went so."""
    return f", {width} side by side ({instructions})"


def told(choice: Choice | None, ways: Counter[Way]) -> str:
    """What was chosen and why, and how many members were run otherwise; "" where nothing was asked for."""
    if choice is None:
        return ""
    count, by_engine = ways.total(), sum(n for way, n in ways.items() if way.width == 0)
    if not choice.compiled or not count:
        return str(choice)
    why_not = next((way.why_not for way in ways if way.why_not), "")
    if by_engine == count:
        return str(Choice(False, why_not or "nobody was beside those that were run"))
    beside = sorted({(way.width, way.instructions) for way in ways if way.width > 1}, reverse=True)
    said = choice.why + "".join(side_by_side(*one) for one in beside)
    alone = sum(n for way, n in ways.items() if way.width == 1)
    if beside and alone:
        said += f", {alone:,} of {count:,} alone"
    if by_engine:
        said += f"; {by_engine:,} of {count:,} by the engine" + (f": {why_not}" if why_not else "")
    return str(Choice(True, said))
