"""The notebooks of the tutorial are its pages, which the tests run: code, outputs and pictures."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import nbformat
import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
MADE = runpy.run_path(str(DOCS / "notebooks.py"))


def test_every_page_of_the_tutorial_is_a_notebook() -> None:
    pages = {path.stem for path in (DOCS / "tutorial").glob("*.md")} - {"index"}
    assert set(MADE["PAGES"]) == pages == {path.stem for path in MADE["NOTEBOOKS"].glob("*.ipynb")}


@pytest.mark.parametrize("name", MADE["PAGES"])
def test_a_notebook_is_what_its_page_says(name: str) -> None:
    """`make notebooks` writes it, and the pictures, anew."""
    stored = (MADE["NOTEBOOKS"] / f"{name}.ipynb").read_text(encoding="utf-8")
    assert stored == MADE["notebook"](DOCS / "tutorial" / f"{name}.md")
    notebook: Any = nbformat.reads(stored, as_version=4)
    nbformat.validate(notebook)
    links = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for link in MADE["_LINK"].findall(links):
        assert (MADE["NOTEBOOKS"] / link.partition("#")[0]).exists(), link
