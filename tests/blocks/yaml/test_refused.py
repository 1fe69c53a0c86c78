"""YAML that no kind of file may hold: each of the six readers says so, with the line, briefly and at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from yaml_cases import cases

from blocks.errors import KeelblocksError
from blocks.lab.comparison import Comparison
from blocks.lab.identification import Identification
from blocks.lab.tuning import Tuning
from blocks.scenario import Scenario
from blocks.study.file import StudyDocument
from blocks.vehicles.vehicle import describe
from blocks.yaml import nodes
from blocks.yaml.reading import read

READERS: list[Callable[[Path], Any]] = [
    Scenario.load, describe, StudyDocument.load, Comparison.load, Tuning.load, Identification.load,
]  # fmt: skip
DEEP, MANY = "nested more than 128 deep, counting what aliases repeat", "more than 1000000 items, counting what aliases"
PLAIN = "is not allowed: these files are plain data"

SAID = {
    "alias_in_itself_key": ":1: an alias to something that contains it, 'a'",
    "alias_in_itself_list": ":1: an alias to something that contains it, 'a'",
    "alias_in_itself_merge": ":1: an alias to something that contains it, 'a'",
    "alias_undefined": ":1: not valid YAML: found undefined alias 'b'",
    "anchor_twice": ":2: the anchor 'a' stands here twice; the first is on line 1",
    "binary": " is not a text file: it holds binary data",
    "bracket_left_open": ":2: not valid YAML: while parsing a flow sequence",
    "comment_only": " is empty; ",
    "control_character": " is not valid YAML: unacceptable character #x0007: control characters are not allowed",
    "directive_tag": f":1: the directive %TAG {PLAIN}",
    "directive_yaml_twice": ":2: not valid YAML: found duplicate %YAML directive",
    "empty": " is empty; ",
    "key_list": ":1: a key must be text, not a list or mapping",
    "key_number": ":1: a key must be text, not 1",
    "key_twice": ":3: the key 'a' stands here twice; the first is on line 1",
    "latin_1": ":2: not UTF-8: invalid start byte at byte 8; save the file as UTF-8",
    "merge_of_a_list": ":1: '<<' takes a mapping, or a list of mappings",
    "merge_of_text": ":1: '<<' takes a mapping, or a list of mappings",
    "quote_left_open": ":2: not valid YAML: while scanning a quoted scalar",
    "tab": ":2: not valid YAML: while scanning for the next token, found character that cannot start any token",
    "tag_binary": f":1: the tag '!!binary' {PLAIN}",
    "tag_bool_that_is_none": ":1: 'yes' is not of the kind that its tag says (bool)",
    "tag_int_that_is_none": ":1: '1.5' is not of the kind that its tag says (int)",
    "tag_of_another_kind_list": ":1: a list or mapping is not of the kind that its tag says (map)",
    "tag_of_another_kind_scalar": ":1: 'x' is not of the kind that its tag says (seq)",
    "tag_omap": f":1: the tag '!!omap' {PLAIN}",
    "tag_own": f":1: the tag '!thing' {PLAIN}",
    "tag_python": f":1: the tag '!!python/object/apply:os.system' {PLAIN}",
    "tag_set": f":1: the tag '!!set' {PLAIN}",
    "tag_timestamp": f":1: the tag '!!timestamp' {PLAIN}",
    "two_documents": ":3: not valid YAML: expected a single document in the stream, but found another one",
    "utf_16": " is not a text file: it holds binary data",
    "zip": " is a zip file, not a",
    "brackets": f":1: {DEEP}",
    "braces": f":1: {DEEP}",
    "keys_in_braces": f":1: {DEEP}",
    "dashes": f":1: {DEEP}",
    "question_marks": f":1: {DEEP}",
    "indentation": f":129: {DEEP}",
    "aliases_deep": f":127: {DEEP}",
    "aliases_wide": f":18: {MANY}",
    "merges": f":17: {MANY}",
    "bytes": " is larger than 32 MB",
    "directives": f":1: the directive %TAG {PLAIN}",
    "long_key": ":1: not valid YAML: mapping values are not allowed in this context",
    "long_key_twice": ":3: the key 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' (100000 characters) stands here twice",
    "long_tag": ":1: the tag '!xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' (100001 characters) is not allowed",
    "long_number": ":1: '9999999999999999999999999999999999999999…' (100001 characters) is not of the kind",
    "long_alias": "characters) …",
}


def test_every_case_has_its_message() -> None:
    assert set(cases()) == set(SAID)


@pytest.mark.parametrize("name", list(SAID))
def test_what_no_file_may_hold_is_refused_by_every_reader(name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(cases()[name])
    for reader in READERS if path.stat().st_size < 1_000_000 else READERS[:2]:
        with pytest.raises(KeelblocksError) as caught:
            reader(path)
        said = str(caught.value)
        assert said.removeprefix(f"{tmp_path}/").startswith("file.yaml"), said
        assert SAID[name] in said
        assert len(said) < 2200


def test_what_is_just_within_the_bounds_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("[" * nodes.DEEPEST + "]" * nodes.DEEPEST, "f").data
    monkeypatch.setattr(nodes, "MOST_NODES", 5)
    assert read("a: [1, 2]", "f").data == {"a": [1, 2]}
    with pytest.raises(KeelblocksError, match="f:1: more than 5 items"):
        read("a: [1, 2, 3]", "f")


def test_whole_numbers_beyond_64_bit_are_floats() -> None:
    data = read("[9223372036854775807, 9223372036854775808, 1" + "0" * 5000 + ", 0x" + "f" * 5000 + "]", "f").data
    assert data == [2**63 - 1, 2.0**63, float("inf"), float("inf")]
    assert [type(one) for one in data] == [int, float, float, float]
