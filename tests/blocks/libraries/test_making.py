"""The folder of a new library, and what a library may be called; and the one that a folder or a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.errors import LibraryError
from blocks.libraries.making import new_library
from blocks.libraries.package import find_library


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MyBlocks", "small letters, digits and underscores, a letter first, such as my_blocks"),
        ("my-blocks", "such as my_blocks"),
        ("3d", "such as blocks_3d"),
        ("", "such as my_blocks"),
        ("../up", "such as up"),
        ("class", "that is a word of Python; call it class_blocks, say"),
        ("numpy", "there is a module of that name already, .*numpy.*; call it numpy_blocks, say"),
        ("json", "that is a module of Keelblocks or of Python; call it json_blocks, say"),
        ("control", "that is a family of Keelblocks' own blocks; call it control_blocks, say"),
        ("blocks", "that is a module of Keelblocks or of Python"),
    ],
)
def test_what_cannot_be_a_name_is_refused_with_a_proposal(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match=f"^a library cannot be called '{name}': .*{message}"):
        new_library(name, tmp_path)
    assert not [*tmp_path.iterdir()]


def test_the_files_carry_the_name(tmp_path: Path) -> None:
    folder = new_library("wave_float", tmp_path)
    texts = {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in folder.rglob("*") if p.is_file()}
    assert sorted(texts) == [
        ".gitignore", "README.md", "build_backend.py", "drag.yaml", "pyproject.toml", "tests/test_drag.py",
        "wave_float/__init__.py", "wave_float/drag.pxd", "wave_float/drag.py",
    ]  # fmt: skip
    assert not any("my_blocks" in text or "my-blocks" in text or "{version}" in text for text in texts.values())
    assert 'name = "wave-float"' in texts["pyproject.toml"]
    assert "from wave_float.views.drag cimport DragView" in texts["wave_float/drag.pxd"]
    with pytest.raises(LibraryError, match=r"there is .*wave_float already: remove it"):
        new_library("wave_float", tmp_path)


def test_a_folder_or_a_name_means_a_library(tmp_path: Path) -> None:
    folder = new_library("wave_float", tmp_path)
    assert find_library(str(folder)) == find_library(str(folder / "wave_float"))
    assert find_library(str(folder)).name == "wave_float"
    (folder / "wave_float").rename(folder / "swell")  # a package of another name than its folder
    assert find_library(str(folder)).name == "swell"
    (folder / "more").mkdir()
    (folder / "more" / "__init__.py").touch()
    (folder / "more" / "more.pxd").touch()
    with pytest.raises(LibraryError, match="has several packages, more, swell: say which"):
        find_library(str(folder))
    with pytest.raises(LibraryError, match=r"there is no library in .*: no package"):
        find_library(str(folder / "tests"))
    for name, message in (("json", "is no library of blocks: no module of it imports blocks"), ("blocks", "itself")):
        with pytest.raises(LibraryError, match=f"^{name} .*{message}$"):
            find_library(name)
    (folder / "swell" / "drag.pxd").unlink()
    with pytest.raises(LibraryError, match=r"^swell has no kernels \(.*, so there is nothing to build"):
        find_library(str(folder / "swell"))
    with pytest.raises(LibraryError, match="there is no folder nowhere here, and no installed package 'nowhere'"):
        find_library("nowhere")
