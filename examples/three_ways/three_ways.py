"""One block written in three ways: as a formula, in Python, and compiled. What each costs, and where it can go.

    keelblocks build examples/three_ways/wake_drag
    python examples/three_ways/three_ways.py

A hull is pushed ahead for 40 s and then coasts. Its drag is that of an appendage in its wake, F = k V_A |V_A| with V_A
= (1 - w) u, so that the speed is known in closed form: with c = k (1 - w)², u = √(T/c) tanh(√(T c) t/m) under a thrust
T from rest, and u = u_0/(1 + c u_0 t/m) after it. Writes `three_ways.png`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import fmu
from blocks import Block, Diagram, Result, simulate
from blocks.basic import Gain, Integrator, Sum, TimeSeries
from blocks.style import GRID, SERIES, SETTINGS

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import compiled_drag  # noqa: E402
import formula_drag  # noqa: E402
import python_drag  # noqa: E402

MASS, THRUST, PUSHED, END, STEP = 400.0, 80.0, 40.0, 100.0, 0.05  # kg, N, s
WAYS: dict[str, tuple[Block, list[str]]] = {
    "Formula": (formula_drag.drag, ["formula_drag.py"]),
    "in Python": (python_drag.drag, ["python_drag.py"]),
    "compiled": (compiled_drag.drag, ["wake_drag/__init__.py", "wake_drag/drag.py", "wake_drag/drag.pxd"]),
}


def hull(drag: Block) -> Diagram:
    """Thrust less drag moves a mass."""
    diagram = Diagram("hull")
    thrust = diagram.add("thrust", TimeSeries([0.0, PUSHED], [THRUST, 0.0], interpolation="hold"))
    net = diagram.add("net", Sum("+-"))
    acceleration = diagram.add("acceleration", Gain(1.0 / MASS))
    speed = diagram.add("speed", Integrator())
    diagram.add("drag", drag.copy())
    diagram.connect(thrust.y, net.in1)
    diagram.connect("drag.force", net.in2)
    diagram.connect(net.y, acceleration.u)
    diagram.connect(acceleration.y, speed.u)
    diagram.connect(speed.y, "drag.u")
    diagram.outputs(speed=speed.y)
    return diagram


def exact(time: NDArray[np.float64]) -> NDArray[np.float64]:
    """The speed in closed form, m/s."""
    c = 60.0 * (1.0 - 0.2) ** 2
    fastest, rate = np.sqrt(THRUST / c), np.sqrt(THRUST * c) / MASS
    pushed = fastest * np.tanh(rate * np.minimum(time, PUSHED))
    return pushed / (1.0 + c * pushed * np.maximum(time - PUSHED, 0.0) / MASS)


def lines(files: list[str]) -> int:
    """What somebody had to write: lines that are not blank."""
    return sum(bool(line.strip()) for file in files for line in (HERE / file).read_text(encoding="utf-8").splitlines())


def measured() -> dict[str, float]:
    """Time per step of the whole diagram, µs: the best of 40 runs in turns, with hardly anything recorded."""
    diagrams = {name: hull(drag) for name, (drag, _) in WAYS.items()}
    best = dict.fromkeys(WAYS, np.inf)
    for _ in range(40):
        for name, diagram in diagrams.items():
            steps = 500 if name == "in Python" else 20_000
            begin = perf_counter()
            simulate(diagram, steps * STEP, step=STEP, record=["speed.y"], every=steps)
            best[name] = min(best[name], 1e6 * (perf_counter() - begin) / steps)
    return best


def needs(diagram: Diagram) -> str:
    """What an FMU of it needs where it runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return "Python" if fmu.requirements(diagram).needs_python else "nothing"


def report(results: dict[str, Result], costs: dict[str, float], builds: dict[str, float]) -> Table:
    """What each way costs, a column each."""
    table = Table("", *WAYS)
    rows: dict[str, list[str]] = {}
    for name, (drag, files) in WAYS.items():
        off = np.abs(results[name].values("speed.y") - exact(results[name].time)).max()
        for label, text in {
            "lines to write": str(lines(files)),
            "s to build": f"{builds[name]:.1f}" if builds[name] else "none",
            "µs per step of the diagram": f"{costs[name]:.2f}",
            "off the closed form, m/s": f"{off:.0e}",
            "the same bits as compiled": "yes" if same(results[name], results["compiled"]) else "no",
            "its FMU needs": needs(hull(drag)),
        }.items():
            rows.setdefault(label, []).append(text)
    for label, texts in rows.items():
        table.add_row(label, *texts)
    return table


def same(one: Result, other: Result) -> bool:
    """Whether two runs have the same speeds, bit for bit."""
    return bool(np.array_equal(one.values("speed.y"), other.values("speed.y")))


def time_to_build() -> float:
    """How long `keelblocks build` takes for a copy of the library that was never built, s."""
    with TemporaryDirectory() as scratch:
        copy = shutil.copytree(
            HERE / "wake_drag", Path(scratch) / "wake_drag", ignore=shutil.ignore_patterns("__keelblocks__")
        )
        begin = perf_counter()
        subprocess.run([sys.executable, "-m", "blocks.cli", "build", str(copy)], check=True, capture_output=True)
        return perf_counter() - begin


def figure(results: dict[str, Result], costs: dict[str, float]) -> Figure:
    """The speed over time, and what a step costs."""
    drawn = Figure(figsize=(12.0, 4.2), layout="constrained")
    speed, price = drawn.subplots(1, 2, width_ratios=(1.5, 1.0))
    time = np.linspace(0.0, END, 400)
    speed.plot(time, exact(time), color=GRID, lw=7, label="closed form")
    for colour, style, (name, result) in zip(SERIES, ("-", "--", ":"), results.items(), strict=False):
        speed.plot(result.time, result.values("speed.y"), style, color=colour, label=name)
    speed.set(title="Pushed for 40 s, then coasting", xlabel="time, s", ylabel="speed, m/s", xlim=(0.0, END))
    speed.set_ylim(bottom=0.0)
    speed.legend()
    bars = price.barh(list(costs), list(costs.values()), color=SERIES[: len(costs)])
    price.bar_label(bars, [f" {value:.2f} µs" for value in costs.values()])
    price.invert_yaxis()
    price.set(title="A step of the whole diagram", xlabel="time per step, µs", xscale="log")
    price.set_xlim(0.01, 8.0 * max(costs.values()))
    price.set_xticks(ticks := [0.01, 0.1, 1, 10, 100], [f"{tick:g}" for tick in ticks])
    price.grid(axis="y", visible=False)
    return drawn


results = {name: simulate(hull(drag), END, step=STEP) for name, (drag, _) in WAYS.items()}
if __name__ == "__main__":
    costs = measured()
    builds = dict.fromkeys(WAYS, 0.0) | {"compiled": time_to_build()}
    Console().print(report(results, costs, builds))
    with rc_context(SETTINGS):
        figure(results, costs).savefig("three_ways.png")
