"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.files import is_file, is_folder, replacing, write_together


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


def test_what_cannot_be_the_name_of_a_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert is_file(tmp_path / "file")
    assert is_folder(tmp_path)
    for name in ("a" * 5000, "a\0b", "nothing", "file/more"):
        assert not is_file(tmp_path / name)
        assert not is_folder(tmp_path / name)


def test_files_that_belong_together_are_all_new_or_all_old(tmp_path: Path) -> None:
    write_together(tmp_path, {"a": b"old", "deep/b": b"old"})
    (tmp_path / "c").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_together(tmp_path, {"a": b"new", "deep/b": b"new", "d": b"new", "c": b"new"})
    assert [path.read_bytes() for path in (tmp_path / "a", tmp_path / "deep/b")] == [b"old", b"old"]
    assert {path.name for path in tmp_path.rglob("*")} == {"a", "deep", "b", "c"}
