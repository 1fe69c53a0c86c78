"""Pages of `keelblocks share` in Chromium: sizes, the time until the first rows, and what a drag costs.

Of each mission: the size of its page, as a file and by gzip -9; the time from the start of loading until the first rows
of its run are there, over several loads; the engine's time for a whole run in the page over that of the engine for
Python, which records as much, by turns in one go; the time from a change to its first rows; and how many whole runs
come of 60 changes, one a frame. Times are wall time, since what Chromium does is done in several processes: the machine
has to be quiet, and a frame in a browser without a window takes as long as it needs.
"""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, show, spread
from blocks.scenario import Scenario
from studio.errors import ShareError
from studio.share import mission_page
from studio.subject import Subject, of_scenario

EXAMPLES = Path(__file__).parents[1] / "examples"
MISSIONS: dict[str, tuple[str, dict[str, Any], str]] = {
    "Minerva, line of sight": ("minerva_los", {}, "plant.current.speed"),
    "Minerva, survey": ("minerva_survey", {}, "plant.current.speed"),
    "Otter, rk4": ("otter_los", {}, "current.speed"),
    "Otter, dopri5": ("otter_los", {"solver": "dopri5"}, "current.speed"),
}
"""Scenario, settings instead of its own, and the parameter that is dragged."""
LOADS, ROUNDS, FRAMES = 5, 9, 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ONCE = """async ([path, value]) => {
    const face = window.keelblocks;
    face.set(path, [value]);
    const {seconds, steps} = await face.run();
    return [seconds, steps, face.answered];
}"""
DRAG = """async ([path, frames, low, high]) => {
    const face = window.keelblocks;
    await face.run();
    const before = face.ended;
    for (let i = 0; i < frames; i++) {
        face.set(path, [low + (high - low) * ((i % 10) + 1) / 10]);
        await new Promise(requestAnimationFrame);
    }
    await face.run();
    return face.ended - before;
}"""


def main() -> int:
    """Print the figures."""
    options = arguments(__doc__).parse_args()
    try:
        figures = measured(options.rounds or ROUNDS)
    except (BenchmarkError, ShareError) as problem:
        print(problem, file=sys.stderr)
        return 1
    show("Pages in Chromium, beside the engine for Python", figures, options.json)
    return 0


def measured(rounds: int) -> dict[str, dict[str, Any]]:
    """The figures of all missions. Raises BenchmarkError if there is no browser, ShareError if there are no pages."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise BenchmarkError("this takes Playwright: pip install playwright") from None
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise BenchmarkError("this takes Chromium; Debian has it: apt-get install chromium")
    found: dict[str, dict[str, Any]] = {}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for number, (name, (example, changes, path)) in enumerate(MISSIONS.items()):
            mission = Mission(example, changes, path, Path(folder, f"{number}.html"))
            found |= {f"{name}: {what}": figure for what, figure in mission.figures(started, rounds).items()}
    return found


class Mission:
    """A page, its plan, and what is dragged in it."""

    def __init__(self, example: str, changes: dict[str, Any], path: str, file: Path) -> None:
        scenario = Scenario.load(EXAMPLES / f"{example}.yaml")
        scenario.settings |= changes
        self.subject: Subject = of_scenario(scenario)
        self.path, self.file = path, file
        self.value = float(self.subject.scenario.diagram.blocks()[path.rpartition(".")[0]].values["speed"])  # type: ignore[union-attr]
        file.write_text(mission_page(self.subject), encoding="utf-8")

    def figures(self, browser: Any, rounds: int) -> dict[str, dict[str, Any]]:
        """Everything that is measured of it."""
        loads = []
        for _ in range(LOADS):
            page = browser.new_page()
            page.goto(self.file.as_uri())
            page.evaluate("window.keelblocks.run()")
            loads.append(page.evaluate("window.keelblocks.firstRows"))
        whole = page.evaluate(DRAG, [self.path, FRAMES, 0.5 * self.value, 1.5 * self.value])
        ratios, answers = [], []
        for number in range(rounds + 1):
            wanted = self.value * (1.0 + 0.001 * (number + 1))
            seconds, steps, answered = page.evaluate(ONCE, [self.path, wanted])
            native = self.native(wanted)
            if number:  # the first one warms both
                ratios.append(seconds / native)
                answers.append(answered)
        content = self.file.read_bytes()
        return {
            "page": {"value": len(content) / 1000.0, "unit": "kB"},
            "page, gzipped": {"value": len(gzip.compress(content, 9)) / 1000.0, "unit": "kB", "target": "200"},
            "until the first rows": spread(loads, "ms") | {"target": "500"},
            "steps of a run": {"value": steps, "unit": ""},
            "a run over that in Python": spread(ratios, ""),
            "first rows after a change": spread(answers, "ms") | {"target": "50"},
            f"whole runs of {FRAMES} changes": {"value": whole, "unit": ""},
        }

    def native(self, value: float) -> float:
        """The time of the engine for Python for the same run, s."""
        plan, settings = self.subject.plan, self.subject.plan.settings
        engine = plan.engine()
        engine.visit()
        engine.values[plan.parameters[self.path].slice] = value
        engine.parameters_changed()
        seen = {place.first + i for place in plan.outputs.values() for i in range(place.count)}
        places = np.array(sorted(seen), dtype=np.intc)
        rows = int((settings.end - settings.start) / (settings.step * self.subject.every)) + 3
        engine.record(places, self.subject.every, np.empty(rows), np.empty((rows, len(places))))
        began = time.perf_counter()
        engine.start(settings.start)
        if engine.proceed(settings.end, closed=True) not in (0, 2):
            raise BenchmarkError(f"the run stopped: {engine.failure}")
        return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
