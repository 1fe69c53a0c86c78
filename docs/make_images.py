"""Make the images of the README and of these pages anew, from the examples: `make images`.

Runs give the same numbers each time, so an image changes only if what it shows does.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from blocks.report import save_figures
from blocks.scenario import Scenario

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
WIDTH = 1600
"""Of figures, in pixels: sharp on a page of half that width."""
FIGURES = ("lutra_energy", "swap_fidelity", "three_tiers", "tito_neri", "minerva_manoeuvres", "rudder_boat", "sailboat")
"""Examples in Python whose figures are shown."""


def make(folder: Path) -> list[Path]:
    """Write every image into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        mission("minerva_survey", folder / "mission.png"),
        diagram("minerva_los", folder / "minerva_los.svg"),
        quickstart(folder / "quickstart.svg"),
        *(image for name in FIGURES for image in figures(name, folder)),
    ]


def mission(name: str, target: Path) -> Path:
    """The overview of a mission, small enough for a repository."""
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        save_figures(scenario.run(), scenario.diagram, scratch, scenario.report, title=scenario.title)
        return shrink(Path(scratch, "mission.png"), target)


def diagram(name: str, target: Path) -> Path:
    """The diagram of a scenario."""
    target.write_text(Scenario.load(EXAMPLES / f"{name}.yaml").diagram.draw(), encoding="utf-8")
    return target


def quickstart(target: Path) -> Path:
    """The diagram of `examples/quickstart.py`."""
    with tempfile.TemporaryDirectory() as scratch:
        target.write_text(run("quickstart", scratch)["rov"].draw(), encoding="utf-8")
    return target


def figures(name: str, folder: Path) -> list[Path]:
    """The figures and animations that an example in Python writes."""
    with tempfile.TemporaryDirectory() as scratch:
        run(name, scratch)
        made = [shrink(figure, folder / figure.name) for figure in sorted(Path(scratch).glob("*.png"))]
        return [*made, *(Path(shutil.copy(film, folder)) for film in sorted(Path(scratch).glob("*.gif")))]


def run(name: str, folder: str) -> dict[str, Any]:
    """Run an example in a folder; its names."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return runpy.run_path(str(EXAMPLES / f"{name}.py"))
    finally:
        os.chdir(before)


def shrink(figure: Path, target: Path) -> Path:
    """A figure in few colours, and no wider than a page shows."""
    with Image.open(figure) as image:
        width = min(WIDTH, image.width)
        size = width, round(image.height * width / image.width)
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.quantize(128, dither=Image.Dither.NONE).save(target, optimize=True)
    return target


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "images"):
        print(f"wrote {path} ({path.stat().st_size / 1000:.0f} kB)")
