"""Faults of all kinds put into scenarios that are in order: what each is, and where it stands."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from blocks.block import block_class
from blocks.diagram import Diagram
from blocks.replacement import Replacement, Span, replaced
from blocks.scenario import Scenario
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document, read


@dataclass(frozen=True)
class Fault:
    """A change of a text that is wrong: the code that has to be found, and a word that nothing else is wrong with."""

    code: str
    change: Replacement
    about: tuple[object, ...]
    """What has one fault at most."""


def planted(text: str, seed: int, count: int, file: str, only: Collection[str] = ()) -> tuple[str, list[Fault]]:
    """The text with so many faults, each about something else, and these in the order of the text.

    only: their codes, if not all kinds.
    """
    rng = random.Random(seed)
    document = read(text, file)
    every = [fault for kind in KINDS for fault in kind(document, rng)]
    every = [fault for fault in every if not only or fault.code in only]
    rng.shuffle(every)
    every.sort(key=lambda fault: rng.random() * (1 + sum(other.code == fault.code for other in every)))
    chosen: list[Fault] = []
    for fault in every:
        apart = all(
            fault.about != other.about
            and (fault.change.span.end < other.change.span.start or other.change.span.end < fault.change.span.start)
            for other in chosen
        )
        if apart and len(chosen) < count:
            chosen.append(fault)
    chosen.sort(key=lambda fault: fault.change.span)
    return replaced(text, [fault.change for fault in chosen]), chosen


def misspelt(word: str, rng: random.Random) -> str:
    """A word with two letters swapped, or one twice: still nearest to what it was."""
    at = rng.randrange(len(word) - 1) if len(word) > 1 else 0
    if len(word) > 3 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[: at + 1] + "q" + word[at + 1 :]


def _blocks(document: Document) -> Iterator[tuple[ItemPath, dict[str, Any]]]:
    for item, data in document.items():
        if (
            len(item) > 1
            and item[0] == "diagram"
            and item[-2] == "blocks"
            and isinstance(data, dict)
            and "type" in data
        ):
            yield item, data


def _key(document: Document, item: ItemPath) -> Span:
    spot = document.spot(item)
    assert spot is not None
    assert spot.key is not None
    return spot.key


def _value(document: Document, item: ItemPath) -> Span:
    spot = document.spot(item)
    assert spot is not None
    return spot.value


def _types(document: Document, rng: random.Random) -> Iterator[Fault]:
    for item, data in _blocks(document):
        family, _, name = data["type"].partition(".")
        wrong = f"{family}.{misspelt(name, rng)}"
        yield Fault("unknown-type", Replacement(_value(document, (*item, "type")), wrong), item)


def _parameters(document: Document, rng: random.Random) -> Iterator[Fault]:
    for item, data in _blocks(document):
        cls = block_class(data["type"])
        for name, value in data.get("parameters", {}).items():
            place = (*item, "parameters", name)
            known = cls.all_parameters().get(name) if cls else None
            if known is None or len(name) < 4:
                continue
            yield Fault("unknown-parameter", Replacement(_key(document, place), misspelt(name, rng)), item)
            if known.choices and isinstance(value, str):
                wrong = misspelt(value, rng)
                yield Fault("unknown-choice", Replacement(_value(document, place), wrong), item)
            elif isinstance(known.unit, str) and not known.shape and not known.switch and not known.integer:
                yield Fault("wrong-unit", Replacement(_value(document, place), "3 kg*A"), item)


def is_needed(diagram: Diagram, item: ItemPath, sink: str) -> bool:
    """Whether a block needs a source for an input."""
    path = ".".join([*(str(part) for part in item if part not in ("diagram", "blocks", "connections")), sink])
    block = diagram.blocks().get(path.rpartition(".")[0])
    return block is not None and block.input_ports[path.rpartition(".")[2]].default is None


def _vehicles(document: Document, rng: random.Random) -> Iterator[Fault]:
    for item, data in _blocks(document):
        for key in ("vehicle", "section"):
            if key in data and "/" not in data[key]:
                wrong = misspelt(data[key], rng)
                yield Fault(f"unknown-{key}", Replacement(_value(document, (*item, key)), wrong), item)
        if "type" in data and "vehicle" in data:
            key = _key(document, (*item, "vehicle"))
            yield Fault("unknown-key", Replacement(key, misspelt("vehicle", rng)), item)


def _wires(document: Document, rng: random.Random) -> Iterator[Fault]:
    diagram = Scenario.from_text(document.text, document.file).diagram
    for item, data in document.items():
        if item[:1] == ("diagram",) and item[-1:] == ("connections",) and isinstance(data, dict):
            for source, sinks in data.items():
                place = (*item, source)
                if "." in source:
                    yield from _ends(source, _key(document, place), place, rng)
                if isinstance(sinks, str):
                    yield from _ends(sinks, _value(document, place), place, rng)
                    span = Span(_key(document, place).start, _value(document, place).end)
                    if is_needed(diagram, item, sinks):
                        yield Fault("unconnected-input", Replacement(span, ""), (*place, sinks))


def _ends(port: str, span: Span, place: ItemPath, rng: random.Random) -> Iterator[Fault]:
    match = re.fullmatch(r"(\w{4,})\.(\w{4,})(\[.*\])?", port)
    if match:
        component, name, element = match[1], match[2], match[3] or ""
        yield Fault("unknown-block", Replacement(span, f"{misspelt(component, rng)}.{name}{element}"), place)
        yield Fault("unknown-port", Replacement(span, f"{component}.{misspelt(name, rng)}{element}"), place)


def _run(document: Document, rng: random.Random) -> Iterator[Fault]:
    run = document.data["run"]
    for key in run:
        if key in ("solver", "end", "every", "stop"):
            yield Fault("unknown-key", Replacement(_key(document, ("run", key)), f"{key}q"), ("run", key))
    if "solver" in run:
        yield Fault("unknown-solver", Replacement(_value(document, ("run", "solver")), "rkk4"), ("run", "solver"))
    if "step" in run:
        yield Fault("bad-setting", Replacement(_value(document, ("run", "step")), "-1"), ("run", "step"))
    if "every" in run:
        yield Fault("wrong-form", Replacement(_value(document, ("run", "every")), "often"), ("run", "every"))
    if "stop" in run:
        yield Fault("unknown-output", Replacement(_value(document, ("run", "stop")), "a.b"), ("run", "stop"))


KINDS: tuple[Callable[[Document, random.Random], Iterator[Fault]], ...] = (_types, _parameters, _vehicles, _wires, _run)
