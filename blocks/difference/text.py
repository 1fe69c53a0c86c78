"""A scenario as one fact a line, sorted, with units: what git shows the differences of, by `textconv`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from blocks.difference.facts import BlockFacts, DiagramFacts, Fact, facts_of, scenario_data
from blocks.errors import KeelblocksError

__all__ = ["scenario_text"]


def scenario_text(text: str, file: str = "scenario") -> str:
    """A scenario's text as one fact a line; a text that is no scenario, or a broken one, as it is.

    Order, comments and layout leave no trace. Values are as they are written, with what that is in SI.
    """
    try:
        data = scenario_data(text, file)
    except KeelblocksError:
        return text
    return canonical(data)


def canonical(data: Mapping[str, Any]) -> str:
    """A scenario's data as text."""
    facts = facts_of(data)
    settings = sorted(f"{name}: {_value(fact)}" for name, fact in facts.settings.items())
    return "".join(f"{line}\n" for line in (*settings, *_diagram(facts.diagram, "")))


def _diagram(diagram: DiagramFacts, path: str) -> Iterator[str]:
    head = path[:-1] or "diagram"
    yield from sorted(f"{head} {name}: {_value(fact)}" for name, fact in diagram.about.items())
    for name, item in sorted(diagram.blocks.items()):
        here = f"{path}{name}"
        if isinstance(item, BlockFacts):
            yield f"block {here}: {item.type}"
            yield from sorted(f"  {here}.{key}: {_value(fact)}" for key, fact in item.parameters.items())
        else:
            yield f"diagram {here}"
            yield from _diagram(item, f"{here}.")
    yield from sorted(f"input {path}{name}" for name in diagram.inputs)
    yield from sorted(f"wire {path}{sink} ← {source}" for sink, source in diagram.wires.items())
    yield from sorted(f"output {path}{name} ← {source}" for name, source in diagram.outputs.items())


def _value(fact: Fact) -> str:
    return f"{fact.full_text} = {fact.si}" if fact.si else fact.full_text
