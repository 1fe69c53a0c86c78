"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.files import replacing


def test_a_file_is_replaced_when_all_went_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.txt"
    with replacing(target) as part:
        part.write_text("one")
        assert part.suffix == ".txt"
        assert not target.exists()
    assert target.read_text() == "one"
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    target.write_text("before")

    def fail() -> None:
        with replacing(target) as part:
            part.write_text("half")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_files_are_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    with replacing(tmp_path / "file") as part:
        part.touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode
