"""Whose a block is, at the command line; and blocks of a package that was installed."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner
from handmade_library import write_library

from blocks import library
from blocks.cli.commands import cli


def keelblocks(*arguments: str, code: int = 0) -> str:
    """What the command writes."""
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = CliRunner().invoke(cli, list(arguments))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done.output


def install(site: Path, name: str, version: str) -> None:
    """Metadata as a wheel brings it."""
    metadata = site / f"{name}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (metadata / "entry_points.txt").write_text(f"[keelblocks.blocks]\n{name} = {name}\n")


def test_installed_libraries_are_there_and_say_whose_blocks_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, factor in (("one", 2.0), ("two", 3.0)):
        write_library(tmp_path / "site", name, factor)
        install(tmp_path / "site", name, f"{factor}")
    monkeypatch.syspath_prepend(tmp_path / "site")
    found = {
        name: cls(k=1.0).evaluate(u=1.0).outputs["force"] for name, cls in library().items() if name.endswith(".Drag")
    }
    assert found == {"one.Drag": 2.0, "two.Drag": 3.0}
    listed = {row["block"]: row["from"] for row in json.loads(keelblocks("list", "blocks", "--json"))}
    assert (listed["one.Drag"], listed["two.Drag"]) == ("one 2.0", "two 3.0")
    assert listed["basic.Gain"] == listed["fmu.FmuBlock"] == "keelblocks 0.1.0"
    assert "two.Drag  from two 3.0" in keelblocks("show", "two.Drag")
    assert "'Drag' can be one.Drag or two.Drag" in keelblocks("show", "Drag", code=2)


@pytest.mark.parametrize("place", [".", "one"])
def test_a_library_in_the_folder_where_one_works(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = write_library(tmp_path / place, "one")
    monkeypatch.chdir(tmp_path)
    assert f"one.Drag  from {package.relative_to(tmp_path)}\n\nDrag of one" in keelblocks("show", "one.Drag")
    assert str(package.relative_to(tmp_path)) in keelblocks("--import", "one", "list")
