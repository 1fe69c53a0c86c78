"""YAML as plain data with line numbers: what is read, what is refused, and that numbers survive."""

from __future__ import annotations

import math
import tracemalloc

import pytest

from blocks.errors import ScenarioError
from blocks.yaml.reading import decode, read
from blocks.yaml.writing import write


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"), ("on", "on"), ("NO", "NO"), ("1:30", "1:30"), ("2024-01-01", "2024-01-01"),
        ("1e-3", 1e-3), ("1.5E+3", 1500.0), (".5", 0.5), ("-0", 0), ("007", 7), ("0o17", 15), ("0x1F", 31), ("+3", 3),
        ("true", True), ("False", False), ("~", None), ("null", None), ("-.inf", -math.inf), (".INF", math.inf),
        ("15 deg", "15 deg"), ("'1'", "1"), ("!!str 1", "1"), ("!!float 1", 1.0), ("1_000", "1_000"),
    ],
)  # fmt: skip
def test_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    found = read(f"key: {text}", "f").data["key"]
    assert found == value
    assert type(found) is type(value)


def test_every_item_knows_its_line() -> None:
    document = read("a:\n  b: 1\n  c:\n    - x\n    - {y: 2}\n", "f.yaml")
    assert document.line(("a",)) == 1
    assert document.line(("a", "b")) == 2
    assert document.line(("a", "c", 1, "y")) == 5
    assert document.line(("a", "c", "not there")) == 3
    assert document.where(("a", "b")) == "f.yaml:2"


def test_lines_take_no_more_memory_where_items_stand_deep() -> None:
    def peak(depth: int) -> int:
        text = "[" * depth + ",".join(["1"] * 5000) + "]" * depth
        tracemalloc.start()
        document = read(text, "f")
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (*(0,) * (depth - 1), 4999) in document
        return taken

    assert peak(127) < 1.2 * peak(1)


def test_merged_items_stand_where_they_were_written() -> None:
    document = read("x: &x {a: 1,\n  b: {c: 2}}\ny:\n  <<: *x\n  a: 3\n", "f")
    assert [document.line(("y", *place)) for place in [(), ("a",), ("b", "c")]] == [3, 5, 2]
    assert [place for place, _ in document.part(("y",), document.data["y"]).items()] == [
        (), ("a",), ("b",), ("b", "c"),
    ]  # fmt: skip


def test_anchors_and_merge_keys() -> None:
    data = read("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: {<<: [{a: 5}, *x]}\n", "f").data
    assert data["y"] == {"a": 1, "b": 3}
    assert data["z"] == {"a": 5, "b": 2}


TENFOLD = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3: the key 'a' stands here twice; the first is on line 1"),
        ("a: !!python/object/apply:os.system [ls]", "f:1: the tag '!!python/object/apply:os.system' is not allowed"),
        ("a: 1\nb: !!python/name:os.system ''", "f:2: the tag '!!python/name:os.system' is not allowed"),
        ("a: !thing b", "f:1: the tag '!thing' is not allowed: these files are plain data"),
        ("a: !!binary aGk=", "f:1: the tag '!!binary' is not allowed"),
        ("a: !!set {x}", "f:1: the tag '!!set' is not allowed"),
        ("a: !!int x", "f:1: 'x' is not of the kind that its tag says (int)"),
        ("a: &a [*a]", "f:1: an alias to something that contains it"),
        ("a: *b", "f:1: not valid YAML: found undefined alias"),
        ("a: [1, 2\nb: 3", "f:2: not valid YAML: while parsing a flow sequence"),
        ("a: {b: c[0]}", "f:1: not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'; within"),
        ("a: 'x", "not valid YAML: while scanning a quoted scalar"),
        ("\ta: 1", "f:1: not valid YAML"),
        ("1: a", "f:1: a key must be text, not 1"),
        ("[a]: b", "f:1: a key must be text, not a list or mapping"),
        ("{<<: 1}", "f:1: '<<' takes a mapping"),
        ("---\na: 1\n---\nb: 2", "f:3: not valid YAML: expected a single document"),
        ("", "f is empty; a scenario begins with 'keelblocks: 1'"),
        ("# nothing\n", "f is empty"),
        ("[" * 20000, "f"),
        (TENFOLD, "more than 1000000 items"),
    ],
)  # fmt: skip
def test_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(text, "f")
    assert message in str(caught.value)


def test_binary_and_other_encodings_are_refused() -> None:
    with pytest.raises(ScenarioError, match="f is not a text file: it holds binary data"):
        decode(b"\x7fELF\0\0", "f")
    with pytest.raises(ScenarioError, match=r"f:2: not UTF-8: .* at byte 9; save the file as UTF-8"):
        decode("a: 1\nb: 'ü'".encode("latin-1"), "f")
    assert decode("\ufeffa: ü".encode(), "f") == "\ufeffa: ü"
    assert read("\ufeffa: ü", "f").data == {"a": "ü"}


def test_what_is_written_reads_as_the_same() -> None:
    data = {
        "numbers": [0.1, -0.0, 1e300, 5e-324, 1e-7, 123456789.123456789, 2, -3],
        "matrix": [[1.0, 2.0], [3.0, 4.0]],
        "texts": ["yes", "1e-3", "null", "15 deg", "a: b", "[x]", "#", "", "'", "ü", "<<", "~"],
        "long": "two\nlines\n",
        "vessel.eta[psi]": "heading.measurement",
        "nested": {"diag": [1.0, 2.0], "flag": True, "none": None},
    }
    back = read(write(data), "f").data
    assert back == data
    assert math.copysign(1.0, back["numbers"][1]) == -1.0
    assert [type(x) for x in back["numbers"]] == [type(x) for x in data["numbers"]]


def test_written_text_is_readable() -> None:
    text = write({"a": {"x": [1, 2], "y": {"diag": [1.0]}}, "b": "c", "d": [[1], [2]]})
    assert "  x: [1, 2]\n" in text
    assert "  y: {diag: [1.0]}\n" in text
    assert "- [1]\n- [2]\n" in text
    assert "&" not in write({"a": (same := [1.0, 2.0]), "b": same})
