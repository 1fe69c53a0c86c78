"""Where items stand in a text: cutting an item out and reading the cut gives the item."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import yaml

from blocks.yaml.reading import read

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").rglob("*.yaml"))
TEXT = """\
# every style
block: &known   # anchored
  number: 1   # comment
  empty:
  quoted: 'ü x'\x20\x20

  literal: |
    text
    more

flow: [1, 2,
   {three: 3}]   # after
list:
- x: 1
  y: {p: 2}
- *known
plain: one
   goes on
folded: >-
  over lines

merged: {<<: *known, own: ~}
"""


@pytest.mark.parametrize("text", [TEXT, "\ufeff" + TEXT, TEXT.replace("\n", "\r\n")], ids=["plain", "mark", "crlf"])
def test_an_item_is_cut_out_whatever_its_style(text: str) -> None:
    document = read(text, "f")
    cut = {
        place: text[spot.value.start : spot.value.end].replace("\r", "")
        for place, _ in document.items()
        if (spot := document.spot(place)) is not None
    }
    assert cut["block", "number"] == cut["merged", "number"] == cut["list", 1, "number"] == "1"
    assert cut["block", "empty"] == ""
    assert cut["block", "quoted"] == "'ü x'"
    assert cut["block", "literal"] == "|\n    text\n    more"
    assert cut["block",].startswith("&known   # anchored\n")
    assert cut["block",].endswith("more")
    assert cut["flow",] == "[1, 2,\n   {three: 3}]"
    assert cut["flow", 2, "three"] == "3"
    assert cut["list",] == "- x: 1\n  y: {p: 2}\n- *known"
    assert cut["list", 0] == "x: 1\n  y: {p: 2}"
    assert cut["list", 1] == "*known"
    assert cut["plain",] == "one\n   goes on"
    assert cut["folded",] == ">-\n  over lines"
    assert cut["merged",] == "{<<: *known, own: ~}"
    spot = document.spot(("block", "empty"))
    assert spot is not None
    assert spot.key is not None
    assert text[: spot.value.start].rstrip().endswith("empty:")
    assert document.spot(("list", 7)) is document.spot(("block", "none")) is document.spot(("plain", "x")) is None


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_item_of_the_examples_is_cut_out_where_it_stands(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    document = read(text, path.name)
    for place, value in document.items():
        spot = document.spot(place)
        assert spot is not None
        (start, end), key = spot
        if "*" in text[start:end] and "&" in text:
            continue  # an alias means nothing without what it stands for
        line = text.rfind("\n", 0, start) + 1
        assert read("v:\n" + textwrap.indent(" " * (start - line) + text[start:end], " "), "f").data["v"] == value
        if key is not None:
            assert yaml.safe_load(text[key.start : key.end]) == place[-1]
            assert text.count("\n", 0, key.start) + 1 == document.line(place)


def test_a_part_of_a_document_knows_where_it_stands_in_the_whole() -> None:
    text = "a:\n  b: {c: 12}\n"
    document = read(text, "f")
    part = document.part(("a", "b"), document.data["a"]["b"])
    spot = part.spot(("c",))
    assert spot is not None
    assert text[spot.value.start : spot.value.end] == "12"
