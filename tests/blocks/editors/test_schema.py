"""The schema of all kinds of files, and the line by which editors find it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from blocks.block import Block
from blocks.cli.commands import cli
from blocks.editors.schema import schema
from blocks.scenario import Scenario
from blocks.yaml.modeline import modeline, with_modeline
from blocks.yaml.reading import read

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = [*EXAMPLES.glob("*.yaml"), *EXAMPLES.glob("studies/*.yaml"), *EXAMPLES.glob("comparisons/*.yaml")]
SCENARIO = "keelblocks: 1\nname: lag\ndiagram:\n  blocks:\n    lag: {type: basic.Gain}\n"


def keelblocks(*arguments: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        cli.main(["schema", *arguments], prog_name="keelblocks")
    return int(left.value.code or 0)


@pytest.fixture(scope="module")
def validator(library_blocks: list[type[Block]]) -> Any:
    made = schema({cls.type_name(): cls for cls in library_blocks})  # other tests leave classes of their own behind
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def test_the_first_key_tells_the_kind(validator: Any) -> None:
    for path in FILES:
        data = read(path.read_text(encoding="utf-8"), path.name).data
        assert [error.message for error in validator.iter_errors(data)] == []
        for kind in ("keelblocks", "keelblocks_study", "keelblocks_comparison"):
            assert validator.is_valid(data | {kind: 1}) == (kind in data), (path, kind)


def test_kinds_share_their_definitions(validator: Any) -> None:
    """A block's parameters stand there once."""
    made = json.dumps(validator.schema)
    assert made.count('"proportional gain k_p"') == 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_name_the_schema_that_make_develop_writes(path: Path) -> None:
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    assert first == modeline(EXAMPLES / ".keelblocks" / "schema.json", path.parent)


def test_files_are_told_where_the_schema_lies(capsys: pytest.CaptureFixture[str]) -> None:
    Path("boats/studies").mkdir(parents=True)
    study = SCENARIO.replace("keelblocks:", "keelblocks_study:").replace("\n", "\r\n")
    Path("boats/a.yaml").write_text(f"# a boat\n{SCENARIO}", encoding="utf-8")
    Path("boats/studies/b.yaml").write_bytes(b"\xef\xbb\xbf" + study.encode())
    assert keelblocks("boats/a.yaml", "boats/studies/../studies/b.yaml") == 0
    assert capsys.readouterr().out == f"wrote boats/.keelblocks/schema.json\nwrote boats/a.yaml\nwrote {b_yaml()}\n"
    line = "# yaml-language-server: $schema="
    assert Path("boats/a.yaml").read_text() == f"{line}.keelblocks/schema.json\n# a boat\n{SCENARIO}"
    changed = b"\xef\xbb\xbf" + f"{line}../.keelblocks/schema.json\r\n{study}".encode()
    assert Path("boats/studies/b.yaml").read_bytes() == changed
    assert json.loads(Path("boats/.keelblocks/schema.json").read_text(encoding="utf-8")) == schema()
    assert Path("boats/.keelblocks/.gitignore").read_text() == "*\n"
    os.chdir("boats/studies")  # a second time: the schema above is made anew, and the file is as it was
    assert keelblocks("b.yaml") == 0
    assert "b.yaml" not in capsys.readouterr().out
    assert Path("b.yaml").read_bytes() == changed
    assert not Path(".keelblocks").exists()


def b_yaml() -> str:
    """The second file as the command names it."""
    return str(Path("boats", "studies", "b.yaml"))


def test_what_is_saved_below_the_schema_names_it(tmp_path: Path) -> None:
    scenario = Scenario.from_text(SCENARIO)
    assert "$schema" not in scenario.save("bare.yaml").read_text()
    Path(".keelblocks").mkdir()
    Path(".keelblocks/schema.json").write_text("{}")
    saved = scenario.save("members/17.yaml").read_text()
    assert saved.startswith("# yaml-language-server: $schema=../.keelblocks/schema.json\nkeelblocks: 1\n")
    again = Scenario.load("members/17.yaml").save("17.yaml").read_text()
    assert again.startswith("# yaml-language-server: $schema=.keelblocks/schema.json\nkeelblocks: 1\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\n", "L\na: 1\n"),
        ("# x\n#yaml-language-server: $schema=../docs/old.json\r\na: 1", "# x\nL\r\na: 1"),
        ("# yaml-language-server: $schema=a.json", "L"),
        ("# says $schema=nothing\n", "L\n# says $schema=nothing\n"),
        ("", "L\n"),
    ],
)
def test_the_line_is_put_in_or_changed_and_nothing_else(before: str, after: str) -> None:
    assert with_modeline(before, "L") == after


def test_what_has_no_schema_is_refused_before_anything_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text(SCENARIO)
    Path("v.yaml").write_text("keelblocks_vehicle: 1\n")
    assert keelblocks("a.yaml", "v.yaml") == 2
    told = capsys.readouterr().err
    assert "v.yaml begins with none of keelblocks, keelblocks_study, keelblocks_comparison: the schema is of" in told
    assert keelblocks("a.yaml", "b.yaml") == 2
    assert "there is no scenario b.yaml; beside it: a.yaml" in capsys.readouterr().err
    assert keelblocks("a.yaml", "--output", "x.json") == 2
    assert "name files, beside which the schema is then put, or --output, not both" in capsys.readouterr().err
    assert Path("a.yaml").read_text() == SCENARIO
    assert sorted(Path().iterdir()) == [Path("a.yaml"), Path("v.yaml")]
