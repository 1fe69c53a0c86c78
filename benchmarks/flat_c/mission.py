"""Minerva's mission with her autopilot on a Cortex-M4 and her plant here; and the same with both here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from benchmarks.flat_c.cortex_m4 import Board
from blocks import Scenario, Simulator
from fmu.flat_c.export import export_c

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "minerva_los.yaml"
STEP = 0.02  # s: how often the autopilot is asked
NAME = "autopilot"
INPUTS = ("eta", "nu", "nu_r")
OUTPUTS = {"command": 5, "heading": 1, "depth": 1, "cross_track_error": 1, "waypoint": 1, "finished": 1}

Autopilot = Callable[[Mapping[str, np.ndarray]], np.ndarray]
"""What it sees, to what it says: all outputs, one after the other."""


def write(folder: Path) -> Path:
    """Write the autopilot as C into a folder."""
    return export_c(Scenario.load(EXAMPLE).diagram["autopilot"], folder, step=STEP, name=NAME)


def sail(autopilot: Autopilot, end: float) -> np.ndarray:
    """The plant under an autopilot that is asked each STEP: what it saw and said, a row each time."""
    rows = []
    with Simulator(
        Scenario.load(EXAMPLE).diagram["plant"], step=0.01, record=[], inputs={"command": np.zeros(5)}
    ) as plant:
        plant.start()
        for number in range(round(end / STEP)):
            seen = {name: np.array(plant[name]) for name in INPUTS}
            said = autopilot(seen)
            rows.append(np.concatenate([*seen.values(), said]))
            plant["command"] = said[:5]
            plant.advance(until=(number + 1) * STEP)
    return np.array(rows)


def here() -> Autopilot:
    """The autopilot by the engine in this process."""
    start = dict.fromkeys(INPUTS, np.zeros(6))
    simulator = Simulator(Scenario.load(EXAMPLE).diagram["autopilot"], step=STEP, record=[], inputs=start)

    def said(seen: Mapping[str, np.ndarray]) -> np.ndarray:
        if asked:
            simulator.advance(STEP)
        asked.append(simulator.time)
        for name, value in seen.items():
            simulator[name] = value
        simulator.refresh()
        return np.concatenate([np.atleast_1d(simulator[name]) for name in OUTPUTS])

    asked: list[float] = []
    return said


def on(board: Board) -> Autopilot:
    """The autopilot on a board."""

    def said(seen: Mapping[str, np.ndarray]) -> np.ndarray:
        outputs, _, status = board.step(np.concatenate([*seen.values()]))
        if status:
            raise RuntimeError(f"the step function returned {status}")
        return outputs

    return said
