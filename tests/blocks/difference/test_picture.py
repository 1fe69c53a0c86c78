"""The drawing of a difference: what is marked, and that it is drawn at all, whatever changed."""

from __future__ import annotations

import re
from random import Random

from blocks.difference.picture import drawn_difference
from blocks.difference.scenarios import version_of
from blocks.drawing import Drawing, render_drawing
from blocks.scenario import Scenario
from tests.blocks.difference.test_scenarios import LOOP


def drawn(before: str, after: str) -> Drawing:
    return drawn_difference(*(version_of(Scenario.from_text(text)) for text in (before, after)))


def test_marks_are_on_what_changed_and_nowhere_else() -> None:
    after = (
        LOOP.replace("kp: 2.0", "kp: 3.0")
        .replace(
            "    wanted:\n", "    slow: {type: basic.FirstOrderLag, parameters: {time_constant: 5}}\n    wanted:\n"
        )
        .replace("wanted.y: heading.reference", "wanted.y: slow.u\n    slow.y: heading.reference")
    )
    drawing = drawn(LOOP, after)
    assert {block.path: block.mark for block in drawing.blocks if block.mark} == {"heading": "changed", "slow": "added"}
    heading = next(block for block in drawing.blocks if block.path == "heading")
    assert heading.note == "~ parameter heading.kp: 2.0 → 3.0"
    marked = {
        (f"{wire.block}.{wire.port}", f"{sink.block}.{sink.port}"): sink.mark
        for wire in drawing.wires
        for sink in wire.sinks
        if sink.mark
    }
    assert marked == {
        ("wanted.y", "slow.u"): "added",
        ("slow.y", "heading.reference"): "added",
        ("wanted.y", "heading.reference (before)"): "removed",
    }
    svg = render_drawing(drawing)
    assert [word for word in ("added", "removed", "changed") if f">{word}</text>" in svg] == [
        "added", "removed", "changed",
    ]  # fmt: skip
    assert len(re.findall("stroke-dasharray", svg)) == 1  # the wire that is no more: not by colour alone
    assert not any(block.mark for block in drawn(LOOP, LOOP).blocks)


def test_any_two_diagrams_can_be_drawn_in_one() -> None:
    """Blocks and wires left out at random, names exchanged, and a block for a diagram of that name."""
    lines = LOOP.splitlines(keepends=True)
    wires = [i for i, line in enumerate(lines) if re.match(r"    [a-z.]+: [a-z.]+\n", line)]
    for seed in range(20):
        random = Random(seed)
        texts = []
        for _ in range(2):
            left = {i for i in wires if random.random() < 0.3}
            text = "".join(line for i, line in enumerate(lines) if i not in left)
            if len(left) == len(wires):
                text = text.replace("  connections:\n", "")
            if random.random() < 0.4:
                text = text.replace("wanted", "@").replace("heading", "wanted").replace("@", "heading")
            if random.random() < 0.3:
                text = text.replace("ship", "craft")
            texts.append(text)
        drawing = drawn(*texts)
        assert render_drawing(drawing)
        assert any(block.mark for block in drawing.blocks) or drawing.blocks
    block = LOOP.replace(LOOP[LOOP.index("      diagram:") : LOOP.index("  connections")], "      type: basic.Gain\n")
    block = (
        block.replace("ship.psi", "ship.y")
        .replace("ship.rudder", "ship.u")
        .replace("basic.Gain", "basic.Gain\n      parameters: {gain: 2}")
    )
    marks = {block.path: block.mark for block in drawn(LOOP, block).blocks}
    assert (marks["ship"], marks["ship (before)"]) == ("added", "removed")
