"""Make the images of the README and of these pages anew, from the examples: `make images`.

Runs give the same numbers each time, so an image changes only if what it shows does.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
import tempfile
from pathlib import Path

from PIL import Image

from blocks.report import save_figures
from blocks.scenario import Scenario

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
WIDTH = 1600
"""Of figures, in pixels: sharp on a page of half that width."""


def make(folder: Path) -> list[Path]:
    """Write every image into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        mission("minerva_survey", folder / "mission.png"),
        diagram("minerva_los", folder / "minerva_los.svg"),
        quickstart(folder / "quickstart.svg"),
    ]


def mission(name: str, target: Path) -> Path:
    """The overview of a mission, small enough for a repository."""
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        save_figures(scenario.run(), scenario.diagram, scratch, scenario.report, title=scenario.title)
        with Image.open(Path(scratch, "mission.png")) as figure:
            height = round(figure.height * WIDTH / figure.width)
            small = figure.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
            small.quantize(128, dither=Image.Dither.NONE).save(target, optimize=True)
    return target


def diagram(name: str, target: Path) -> Path:
    """The diagram of a scenario."""
    target.write_text(Scenario.load(EXAMPLES / f"{name}.yaml").diagram.draw(), encoding="utf-8")
    return target


def quickstart(target: Path) -> Path:
    """The diagram of `examples/quickstart.py`."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(scratch)
        try:
            made = runpy.run_path(str(EXAMPLES / "quickstart.py"))
        finally:
            os.chdir(before)
    target.write_text(made["rov"].draw(), encoding="utf-8")
    return target


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "images"):
        print(f"wrote {path} ({path.stat().st_size / 1000:.0f} kB)")
