"""Make the images of the README and of these pages anew, from the examples: `make images`.

Runs give the same numbers each time, so an image changes only if what it shows does.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from environment_images import environment_images
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from rich.console import Console

from blocks import Diagram, Simulator, simulate
from blocks.basic import Constant
from blocks.difference import draw_difference
from blocks.dynamics import Vessel3DOF
from blocks.environment import JonswapSea, WaveForceRAO, WaveLoad
from blocks.guidance import CurvedPath, DubinsPath, MinimumSnapTrajectory
from blocks.lab.comparison import Comparison
from blocks.lab.comparison.figures import png
from blocks.lab.design import design
from blocks.lab.design.figure import design_figure
from blocks.lab.manoeuvres import pull_out, spiral, turning_circle
from blocks.lab.tuning import Tuning, tuning_figure
from blocks.live.learning import ScenarioEnv
from blocks.live.learning.registration import task_file
from blocks.live.ros2 import missing
from blocks.live.terminal.keys import Keys
from blocks.live.terminal.screen import Screen
from blocks.live.terminal.view import View
from blocks.realtime.loop import RealTime
from blocks.report import save_figures
from blocks.scenario import Scenario
from blocks.style import ACTUAL, GRID, SERIES, SETTINGS, WAYPOINT
from blocks.vehicles.vehicle import describe

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
WIDTH = 1600
"""Of figures, in pixels: sharp on a page of half that width."""
FIGURES = (
    "lutra_energy", "swap_fidelity", "three_tiers", "tito_neri", "minerva_manoeuvres", "rudder_boat",
    "sailboat", "swarm", "monte_carlo_los", "river", "minimum_snap", "identify_otter", "autopilot_design",
    "learn_otter", "mpc_otter", "attainable_forces", "harbour", "fleet", "wave_energy/capture_width",
    "three_ways/three_ways", "ferry_rolls", "wigley_in_waves/wigley_in_waves", "estimated_ships",
    "tanker_turns", "moored_barge",
)  # fmt: skip
"""Examples in Python whose figures are shown. That of `mpc_otter` has times in it, which are those of this machine."""
_QUIET = "#94a3b8"
"""Bars that are not the own one."""
PUBLISHED = {
    "autopilot.guidance.lookahead": 2.0, "autopilot.guidance.integral_gain": 0.1,
    "autopilot.depth.kp": 120.0, "autopilot.depth.ki": 15.0, "autopilot.depth.kd": 30.0,
    "autopilot.heading.kp": 150.0, "autopilot.heading.ki": 30.0, "autopilot.heading.kd": 80.0,
    "autopilot.sway.kp": 0.0, "autopilot.sway.ki": 0.0,
}  # fmt: skip
"""Gains of Minerva's survey that ring: those published, and guidance that finds the crab angle without sway control."""
SHADED = ("swarm.png", "mission.png", "missions.png", "tutorial_mission.png", "moored_barge.png")
"""Figures with so many shades that no few colours suit them."""


def make(folder: Path) -> list[Path]:
    """Write every image into a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        mission("minerva_survey", folder / "mission.png"),
        mission("minerva_mission", folder / "missions.png"),
        diagram("minerva_los", folder / "minerva_los.svg"),
        diagram("otter_ardupilot", folder / "otter_ardupilot.svg"),
        diagram("otter_ros2", folder / "otter_ros2.svg"),
        quickstart(folder / "quickstart.svg"),
        difference("otter_los", "otter_helm", folder / "difference.svg"),
        *(image for name in FIGURES for image in figures(name, folder)),
        *figures("sea_trials", folder, "--full"),
        wave_loads(folder / "wave_loads.png"),
        *environment_images(folder),
        trajectories(folder / "trajectories.png"),
        *comparison("los_benchmark", folder, "cross_track_error", "pareto"),
        manoeuvres(folder / "manoeuvres.png"),
        sensors(folder / "sensors.png"),
        tuning("otter_heading", folder / "tuning.png"),
        loops("minerva_survey", PUBLISHED, folder / "design.png"),
        live("otter_helm", folder / "live.svg"),
        episode("BlueROV2StationKeeping", 300, folder / "learning_station_keeping.png"),
        episode("TitoNeriDocking", 300, folder / "learning_docking.png"),
        episode("SmartySpeed", 150, folder / "learning_smarty.png"),
        *voyage(folder),
        *hull(folder),
        why(folder / "why.png"),
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


def difference(before: str, after: str, target: Path) -> Path:
    """What differs between two scenarios."""
    target.write_text(draw_difference(*(EXAMPLES / f"{name}.yaml" for name in (before, after))), encoding="utf-8")
    return target


def quickstart(target: Path) -> Path:
    """The diagram of `examples/quickstart.py`."""
    with tempfile.TemporaryDirectory() as scratch:
        target.write_text(run("quickstart", scratch)["rov"].draw(), encoding="utf-8")
    return target


def figures(name: str, folder: Path, *arguments: str) -> list[Path]:
    """The figures and animations that an example in Python writes, with arguments if it takes any."""
    with tempfile.TemporaryDirectory() as scratch:
        run(name, scratch, *arguments)
        made = [shrink(figure, folder / figure.name) for figure in sorted(Path(scratch).glob("*.png"))]
        return [*made, *(Path(shutil.copy(film, folder)) for film in sorted(Path(scratch).glob("*.gif")))]


def voyage(folder: Path) -> list[Path]:
    """The voyage over ROS 2, if there is one: it is never quite the same."""
    if missing():
        return []
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([sys.executable, EXAMPLES / "tito_neri_ros" / "voyage.py"], cwd=scratch, check=True)
        return [shrink(figure, folder / figure.name) for figure in Path(scratch).glob("*.png")]


def hull(folder: Path) -> list[Path]:
    """The barge from its drawing to its motions, if there is Capytaine."""
    return figures("stl_to_fmu", folder) if find_spec("capytaine") else []


def comparison(name: str, folder: Path, *names: str) -> list[Path]:
    """Figures of a comparison in `examples/comparisons`."""
    drawn = Comparison.load(EXAMPLES / "comparisons" / f"{name}.yaml").run().figures()
    with tempfile.TemporaryDirectory() as scratch:
        for figure in names:
            Path(scratch, f"{name}_{figure}.png").write_bytes(png(drawn[figure]))
        return [shrink(path, folder / path.name) for path in sorted(Path(scratch).glob("*.png"))]


def tuning(name: str, target: Path) -> Path:
    """The figure of a search in `examples/tuning`."""
    made = Tuning.load(EXAMPLES / "tuning" / f"{name}.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch, target.name)
        tuning_figure(made.run(), title=made.title).savefig(drawn, dpi=130)
        return shrink(drawn, target)


def loops(name: str, gains: dict[str, float], target: Path) -> Path:
    """The page of a design of loops that begins with these gains."""
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    for parameter, value in gains.items():
        scenario.set(parameter, value)
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch, target.name)
        design_figure(design(scenario)).savefig(drawn)
        return shrink(drawn, target)


def episode(name: str, most: int, target: Path) -> Path:
    """An episode of an environment in which its own controllers act, so many actions at most."""
    env = ScenarioEnv(task_file(name), render_mode="rgb_array", reference=True)
    env.reset(seed=4)
    for _ in range(most):
        _, _, terminated, truncated, _ = env.step(np.zeros(env.action_space.shape or ()))
        if terminated or truncated:
            break
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch, target.name)
        Image.fromarray(env.render()).save(drawn)
        return shrink(drawn, target)


def run(name: str, folder: str, *arguments: str) -> dict[str, Any]:
    """Run an example in a folder, with arguments of its command line; its names."""
    before, given = Path.cwd(), sys.argv
    os.chdir(folder)
    sys.argv = [name, *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    finally:
        os.chdir(before)
        sys.argv = given


def shrink(figure: Path, target: Path) -> Path:
    """A figure in few colours, and no wider than a page shows."""
    with Image.open(figure) as image:
        width = min(WIDTH, image.width)
        size = width, round(image.height * width / image.width)
        small = image.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        count, method = (256, Image.Quantize.MAXCOVERAGE) if figure.name in SHADED else (128, None)
        small.quantize(count, method, dither=Image.Dither.NONE).save(target, optimize=True)
    return target


@rc_context(SETTINGS)
def trajectories(target: Path) -> Path:
    """Curves of each kind through the same waypoints: see `trajectories.md`."""
    waypoints = np.array([[0.0, 0.0], [60.0, 10.0], [70.0, 60.0], [20.0, 80.0], [20.0, 40.0]])
    headings = np.radians([0.0, 30.0, 120.0, -150.0, -60.0])
    snap = MinimumSnapTrajectory(np.pad(waypoints, ((0, 0), (0, 1))), cruise_speed=1.0, cruise_acceleration=0.1)
    run = simulate(snap, snap.duration, step=0.5, record="minimum_snap_trajectory.position")
    curves = {
        "Hermite": CurvedPath(waypoints, cruise_speed=1.0).points(400),
        "PCHIP": CurvedPath(waypoints, interpolation="pchip", cruise_speed=1.0).points(400),
        "Dubins": DubinsPath(waypoints, headings, 12.0, cruise_speed=1.0).points(400),
        "Minimum snap": run.values("minimum_snap_trajectory.position"),
    }
    figure = Figure(figsize=(10.0, 2.9), layout="constrained")
    for axes, colour, (name, points) in zip(figure.subplots(1, 4, sharey=True), SERIES, curves.items(), strict=False):
        if name == "Minimum snap":
            dots = points[::20]
        else:
            way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))])
            dots = np.column_stack([np.interp(np.arange(0.0, way[-1], 10.0), way, points[:, i]) for i in range(2)])
        axes.plot(waypoints[:, 1], waypoints[:, 0], ":", color=WAYPOINT, linewidth=1.0)
        axes.plot(points[:, 1], points[:, 0], color=colour)
        axes.plot(dots[:, 1], dots[:, 0], ".", color=colour, markersize=6)
        axes.plot(waypoints[:, 1], waypoints[:, 0], "o", color=WAYPOINT, markerfacecolor="white", markersize=7)
        axes.set(xlabel="east, m", aspect="equal", xlim=(-15.0, 110.0), ylim=(-8.0, 94.0))
        axes.set_title(name)
        if name == "Hermite":
            axes.set_ylabel("north, m")
    with tempfile.TemporaryDirectory() as scratch:
        figure.savefig(Path(scratch, target.name), dpi=WIDTH / 10.0)
        return shrink(Path(scratch, target.name), target)


@rc_context(SETTINGS)
def wave_loads(target: Path) -> Path:
    """`WaveLoad` and `WaveForceRAO` beside each other, in frequency and in time: see `wave_loads.md`."""
    boat = WaveLoad(length=2.4, breadth=0.9, areas=[0.15, 0.5, 1.8], yaw_moment="corners")
    omegas, headings = np.linspace(1.0, 7.0, 10), np.linspace(0.0, np.pi, 13)
    reflected = np.clip((omegas - 1.0) / 4.0, 0.0, 1.0) ** 2
    drift = np.zeros((3, 10, 13))
    drift[0] = 0.5 * 1025.0 * 9.81 * boat.breadth * reflected[:, None] * np.cos(headings)
    table = WaveForceRAO.from_load(boat, omegas, headings, mean_drift=drift)
    still = WaveForceRAO(**(table.values | {"mean_drift": 0.0}))
    figure = Figure(figsize=(10.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    fine = np.linspace(0.5, 8.0, 400)
    for load, style, colour in ((boat, "-", SERIES[0]), (still, "--", SERIES[1])):
        response = [abs(WaveForceRAO.from_load(load, [w, w + 1.0], headings).amplitude[0, 0, -1]) for w in fine]
        left.plot(fine, response, style, color=colour, label=type(load).__name__)
    left.plot(omegas, table.amplitude[0, :, -1], "o", color=SERIES[1], markersize=4, label="table")
    left.set(xlabel="frequency, rad/s", ylabel="force by wave amplitude, N/m", ylim=(0.0, None))
    diagram = Diagram()
    diagram.add("sea", JonswapSea(0.5, 3.0, direction="180 deg", upper_limit=2.5, seed=3))
    diagram.add("rest", Constant(np.zeros(6)))
    diagram.connect("rest.y", diagram.add("load", table).eta)
    diagram.connect("sea.waves", "load.waves")
    run = simulate(diagram, 90.0, step=0.05)
    total, slow = (run.values(f"load.{name}")[:, 0] for name in ("disturbance", "drift"))
    right.plot(run.time, total - slow, linewidth=0.7, color=SERIES[0], label="first order")
    right.plot(run.time, slow, linewidth=2.0, color=SERIES[1], label="slow drift")
    right.set(xlabel="time, s", ylabel="force, N")
    right.set_ylim(-450.0, 520.0)
    left.set_title("Surge in head sea")
    right.set_title("Surge in a sea of 0.5 m")
    for axes, columns in ((left, 1), (right, 2)):
        axes.legend(frameon=False, loc="upper left", ncols=columns)
    with tempfile.TemporaryDirectory() as scratch:
        figure.savefig(Path(scratch, "wave_loads.png"), dpi=WIDTH / 10.0)
        with Image.open(Path(scratch, "wave_loads.png")) as image:
            image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(target, optimize=True)
    return target


@rc_context(SETTINGS)
def sensors(target: Path) -> Path:
    """The run of `sensors.md`: true, measured and estimated track, and the current."""
    names: dict[str, Any] = {}
    page = (HERE / "sensors.md").read_text(encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(page.partition("```python\n")[2].partition("```")[0], names)
    run = names["run"]
    figure = Figure(figsize=(10.0, 4.4), layout="constrained")
    chart, time = figure.subplots(1, 2)
    fixes = run.values("gnss.position")[:: round(1.0 / 0.1)][run.values("gnss.valid")[:: round(1.0 / 0.1)] > 0.5]
    chart.plot(*np.array(names["LEGS"]).T[1::-1], ":", color=WAYPOINT, label="path")
    chart.plot(fixes[:, 1], fixes[:, 0], ".", color=SERIES[4], markersize=4, label="fixes")
    for block, colour, width in (("vessel", ACTUAL, 2.4), ("filter", SERIES[1], 1.2)):
        eta = run.values(f"{block}.eta")
        chart.plot(eta[:, 1], eta[:, 0], color=colour, linewidth=width, label={"filter": "estimate"}.get(block, block))
    chart.set(xlabel="east, m", ylabel="north, m", aspect="equal")
    chart.margins(0.05)
    chart.set_title("Track")
    chart.legend(loc="center")
    true, found = run.values("current.current"), run.values("filter.current")
    for i, name in enumerate(("north", "east")):
        sigma = 2.0 * np.sqrt(run.values("filter.covariance")[:, 4 + i, 4 + i])
        time.fill_between(run.time, found[:, i] - sigma, found[:, i] + sigma, color=SERIES[i], alpha=0.2, linewidth=0)
        time.plot(run.time, found[:, i], color=SERIES[i], linewidth=1.4, label=f"{name}, estimate")
        time.plot(run.time, true[:, i], "--", color=SERIES[i], linewidth=1.4, label=f"{name}, true")
    time.axvspan(200.0, 260.0, color=GRID, zorder=0)
    time.text(230.0, -0.28, "no fixes", ha="center", color=WAYPOINT)
    time.set(xlabel="time, s", ylabel="current, m/s", ylim=(-0.35, 0.75))
    time.set_title("Current")
    time.legend(loc="upper right", ncols=2)
    with tempfile.TemporaryDirectory() as scratch:
        figure.savefig(Path(scratch, target.name), dpi=WIDTH / 10.0)
        return shrink(Path(scratch, target.name), target)


def live(name: str, target: Path) -> Path:
    """The screen of `keelblocks live` after 42 s in which the course was changed, on a clock that is 0.1 ms late."""
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds + 1e-4

    def helm(simulator: Simulator, t: float) -> None:
        simulator["course"] = 0.0 if t < 20.0 else np.radians(60.0)

    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    hidden = Console(file=io.StringIO(), force_terminal=True, width=112, height=30)
    view = View(scenario.live["show"], scenario.live["change"], scenario.title, console=hidden, keys=Keys(-1))
    simulator = scenario.simulator()
    RealTime(simulator, end=42.0, rate=25.0, sources=[helm], sinks=[view], clock=lambda: now, sleep=sleep).run()
    shown = Console(file=io.StringIO(), record=True, force_terminal=True, width=112, height=30, highlight=False)
    shown.print(Screen(view.shown, 30))
    text = shown.export_svg(title=f"keelblocks live examples/{name}.yaml", unique_id="live")
    text = re.sub(r"@font-face \{.*?\}\s*", "", text, flags=re.DOTALL)  # fonts from elsewhere
    target.write_text(text.replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")
    return target


def manoeuvres(target: Path) -> Path:
    """The turning circle, pull-out and spiral test of the Otter: see `manoeuvres.md`."""
    boat = Vessel3DOF.from_vehicle("otter")
    otter: dict[str, Any] = {"helm": "force[N]", "inputs": {"force": [100, 0, 0, 0, 0, 0]}, "length": 2.0}
    done = [test(boat, 40.0, **otter) for test in (turning_circle, pull_out, spiral)]
    with tempfile.TemporaryDirectory() as scratch:
        images = []
        for number, one in enumerate(done):
            path = Path(scratch, f"{number}.png")
            one.figure(f"Otter: {one.name}").savefig(path)
            images.append(Image.open(path).convert("RGB"))
        above, *below = images
        height = round(above.width / sum(image.width / image.height for image in below))
        sheet = Image.new("RGB", (above.width, above.height + height), "white")
        sheet.paste(above, (0, 0))
        left = 0
        for image in below:
            width = round(height * image.width / image.height)
            sheet.paste(image.resize((width, height), Image.Resampling.LANCZOS), (left, above.height))
            left += width
        sheet.save(Path(scratch, target.name))
        return shrink(Path(scratch, target.name), target)


@rc_context(SETTINGS)
def why(target: Path) -> Path:
    """What the README begins with: numbers of benchmarks/README.md, of a vehicle file and of lutra_prop.md."""
    measured = (HERE.parent / "benchmarks" / "README.md").read_text(encoding="utf-8")
    figure = Figure(figsize=(10.0, 6.0), layout="constrained")
    (speed, exported), (sources, agreement) = figure.subplots(2, 2)
    names = {"Keelblocks": "engine, per RK4 step", "C by hand": "hand-written C"}
    peers = ("jaxonomy", "pathsim", "bdsim", "python-control")
    _bars(speed, {name: _cell(measured, names.get(name, name)) for name in ("C by hand", "Keelblocks", *peers)})
    speed.set_title("Guidance, control and vessel")
    hosted = {"C by hand": "written by hand in C", "Keelblocks": "exported by", "PythonFMU": "packed by PythonFMU"}
    _bars(exported, {name: _cell(measured, row) for name, row in hosted.items()})
    exported.set_title("The same as an FMU, in a host in C")
    _sources(sources)
    _agreement(agreement)
    with tempfile.TemporaryDirectory() as scratch:
        figure.savefig(Path(scratch, target.name), dpi=WIDTH / 10.0)
        return shrink(Path(scratch, target.name), target)


def _cell(text: str, row: str) -> float:
    """The first number in the row of a table that begins with so many words."""
    found = re.search(rf"^\| \W*{re.escape(row)}[^|]*\| \W*([\d.]+)", text, re.MULTILINE)
    if found is None:
        raise KeyError(row)
    return float(found[1])


def _bars(axes: Axes, times: dict[str, float]) -> None:
    """Times on a logarithmic scale, the own one in colour."""
    colours = [ACTUAL if name == "Keelblocks" else _QUIET for name in times]
    made = axes.barh(list(times), list(times.values()), color=colours, edgecolor="none")
    axes.bar_label(made, [f"{value:.3g} µs" for value in times.values()], padding=4)
    axes.set(xscale="log", xlim=(0.05, 4.0 * max(times.values())), xlabel="time per step of 0.02 s, µs")
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)


def _sources(axes: Axes) -> None:
    """A few numbers of Minerva with their units and sources."""
    vehicle = describe("minerva")
    wanted = {
        "dynamics": ("buoyancy", "centre_of_buoyancy"),
        "thrusters": ("diameter", "density", "speed_limit_forward"),
        "guidance": ("acceptance_radius",),
    }
    rows = []
    for section, names in wanted.items():
        for name in names:
            entry = vehicle.sections[section].parameters[name]
            rows.append((name, _short(entry.value), entry.unit, entry.source))
    axes.set_title("Numbers with unit and source")
    axes.axis("off")
    shown = axes.table(
        rows, colLabels=("Minerva", "value", "unit", "source"), cellLoc="left", loc="upper left", edges="horizontal"
    )
    shown.auto_set_font_size(False)
    shown.set_fontsize(8.5)
    shown.scale(1.0, 1.5)
    shown.auto_set_column_width(range(4))
    for cell in shown.get_celld().values():
        cell.set_edgecolor(_QUIET)
        cell.set_linewidth(0.6)


def _agreement(axes: Axes) -> None:
    """Energies of Lutra Prop, printed in a thesis and found here; hollow where the print contradicts itself."""
    text = (HERE / "lutra_prop.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \|.*\| ([\d.]+) J \| ([\d.]+) J \|$", text, re.MULTILINE)
    doubted = re.findall(r"\*\*Scenario (\d)\*\* cannot be reproduced", text)
    axes.plot([250.0, 950.0], [250.0, 950.0], color=GRID, zorder=1)
    for number, here, printed in rows:
        face = "white" if number in doubted else ACTUAL
        axes.plot(float(printed), float(here), "o", markersize=8, color=ACTUAL, markerfacecolor=face)
        axes.annotate(
            number,
            (float(printed), float(here)),
            xytext=(-14, 6) if number == "2" else (7, -11),
            textcoords="offset points",
        )
    axes.set_title("Seven published runs of a boat")
    axes.set(xlabel="energy as printed, J", ylabel="energy here, J")


def _short(value: object) -> str:
    text = ", ".join(f"{number:.6g}" for number in np.ravel(np.asarray(value, dtype=float)))
    return text if len(text) < 20 else text[: text.index(",", 8)] + ", …"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="make the images of the README and of the documentation anew")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "images", help="where to (default: docs/images)")
    for path in make(parser.parse_args().folder):
        print(f"wrote {path} ({path.stat().st_size / 1000:.0f} kB)")
