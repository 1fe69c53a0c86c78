"""Write the notebooks of the tutorial from its pages, with what they print and draw: make notebooks.

A page of docs/tutorial becomes examples/tutorial/NAME.ipynb: prose as Markdown, `python` as code, the `text` right
below as its output, and an image right below that as what it draws. The tests run the pages, and compare the notebooks
with them. `--figures` also draws the images anew: the `figure` of the code, or the file that it wrote into figures/.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import io
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGES = ("first_run", "wires", "vehicle", "control", "mission", "study", "fmu")
NOTEBOOKS = HERE.parent / "examples" / "tutorial"
BEGIN = 'import os\n\nos.chdir("../..")  # the root of the clone, which paths are from'
_CODE = re.compile(
    r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?(?:!\[[^\]]*\]\(([^)]+)\)\n)?", re.DOTALL | re.MULTILINE
)
_LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")


def notebook(page: Path) -> str:
    """The notebook of a page, as its file has it."""
    text = page.read_text(encoding="utf-8")
    cells, done, count = [], 0, 1
    for found in _CODE.finditer(text):
        cells += _prose(text[done : found.start()])
        if count == 1:
            cells.append(_code(BEGIN, 1, []))
        count += 1
        cells.append(_code(found[1], count, _outputs(page, count, found[2], found[3])))
        done = found.end()
    cells += _prose(text[done:])
    for number, cell in enumerate(cells):
        cell["id"] = f"{page.stem}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _prose(text: str) -> list[dict[str, Any]]:
    """A cell of Markdown, whose links lead from the notebook to the pages."""
    if not text.strip():
        return []
    return [{"cell_type": "markdown", "metadata": {}, "source": _lines(_LINK.sub(_from_notebook, text.strip()))}]


def _from_notebook(found: re.Match[str]) -> str:
    path, _, anchor = found[1].partition("#")
    if Path(path).stem in PAGES and "/" not in path:
        return f"]({Path(path).stem}.ipynb)"
    target = os.path.relpath((HERE / "tutorial" / path).resolve(), NOTEBOOKS)
    return f"]({Path(target).as_posix()}{'#' + anchor if anchor else ''})"


def _code(text: str, count: int, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    source = _lines(text.rstrip())
    return {"cell_type": "code", "execution_count": count, "metadata": {}, "outputs": outputs, "source": source}


def _outputs(page: Path, count: int, printed: str | None, image: str | None) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    error = re.fullmatch(r"(\w+Error): (.*)\n", printed or "")
    if error:
        made.append({"output_type": "error", "ename": error[1], "evalue": error[2], "traceback": [error[0].strip()]})
    elif printed:
        made.append({"output_type": "stream", "name": "stdout", "text": _lines(printed)})
    if image:
        encoded = base64.b64encode((page.parent / image).read_bytes()).decode()
        made.append({"output_type": "display_data", "data": {"image/png": encoded}, "metadata": {}})
    return made


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def draw(page: Path) -> list[Path]:
    """Draw the images of a page by running it."""
    from make_images import WIDTH, shrink

    text, namespace, made = page.read_text(encoding="utf-8"), {"__name__": "page"}, []
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(scratch)
        Path("examples").symlink_to(HERE.parent / "examples", target_is_directory=True)
        for found in _CODE.finditer(text):
            with contextlib.suppress(Exception):  # which a page shows
                exec(found[1], namespace)
            if found[3]:
                target = (page.parent / found[3]).resolve()
                file = Path("figures", target.name.removeprefix("tutorial_"))
                if not file.exists():
                    namespace["figure"].savefig(target.name, dpi=WIDTH / namespace["figure"].get_figwidth())
                    file = Path(target.name)
                made.append(shrink(file, target))
        os.chdir(before)
    return made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="write the notebooks of the tutorial from its pages")
    parser.add_argument("--figures", action="store_true", help="draw the images of the pages anew first")
    figures = parser.parse_args().figures
    for name in PAGES:
        source = HERE / "tutorial" / f"{name}.md"
        for path in draw(source) if figures else []:
            print(f"wrote {path}")
        (NOTEBOOKS / f"{name}.ipynb").write_text(notebook(source), encoding="utf-8")
