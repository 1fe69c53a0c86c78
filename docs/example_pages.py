"""The pages of the examples, which a reader of the documentation tries out: `keelblocks share` of each of them.

A page of the documentation links to one by its name: [The same to try out](page:minerva_survey). A build writes them
into the folder `pages` beside its own, each by a process of its own, unless one is there that is newer than all that it
is made of. What cannot be made here, without the parts of `make studio` or the engine of `make platforms`, is named in
one line, and its links lead to the section on pages of examples. By hand: python docs/example_pages.py FOLDER [NAME …].
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import runpy
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
Names = dict[str, Any]


@dataclass(frozen=True)
class OfFile:
    """A scenario, a study or a comparison, with options of `keelblocks share`."""

    file: str
    options: tuple[str, ...] = ()
    library: str = ""
    """The package of a library in the examples that is compiled first, in a copy."""

    def write(self, page: Path) -> None:
        """Write the page, which names its file as one does in a clone."""
        from studio.cli import share_command

        with tempfile.TemporaryDirectory() as scratch:
            root = _with_compiled(self.library, Path(scratch)) if self.library else HERE.parent
            os.chdir(root)
            file = f"examples/{self.file}"
            share_command.main([file, "-o", str(page), "--quiet", *self.options], standalone_mode=False)
            os.chdir(HERE)


@dataclass(frozen=True)
class OfRun:
    """A run of an example in Python: what it leaves at hand, or what its functions give."""

    example: str
    result: Callable[[Names], Any]
    vary: tuple[str, ...] = ()

    def write(self, page: Path) -> None:
        """Run the example in a scratch folder, where it draws nothing, and write the page."""
        from studio import share

        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            result = self.result(_names(self.example))
            os.chdir(HERE)
        share(result, page, vary=self.vary)


def _simulate(component: Any, end: Any, **how: Any) -> Any:
    from blocks import simulate

    return simulate(component, end, **how)


def _rudder_boat(names: Names) -> Any:
    return _simulate(names["rudder_boat"](), 40.0, step=0.02, inputs={"throttle": 1.0, "rudder": 0.61})


def _monte_carlo(names: Names) -> Any:
    boat = names["otter"]()
    boat["current"].set(speed="0.3 m/s", direction="90 deg")
    return _simulate(boat, names["LIMIT"], step=names["STEP"], stop="guidance.finished")


def _river(names: Names) -> Any:
    names["write_river"](Path("river.hdf"))
    return names["upstream"](Path("river.hdf"))["bank"]


def _sea_trials(names: Names) -> Any:
    boat = names["vehicle"](names["sea"](0.5, direction="90 deg", seed=1), names["THRUST"])
    return _simulate(boat, names["TIME_LIMIT"], step=names["STEP"], solver=names["SOLVER"], stop="arrived.y")


def _sliders(vary: Iterable[str]) -> Iterator[str]:
    for one in vary:
        yield from ("--vary", one)


YAML = ("--with-yaml",)
LIVE = (*YAML, "--end", "5 min")  # without end in its file: it goes on until somebody ends it
ORDERS = ("orders[0]=-3600:3600", "orders[1]=-3600:3600", "orders[2]=-1:1", "angle[0]=-2.3:2.3", "angle[1]=-2.3:2.3")
THRUSTS = {
    "otter": ("thrust[0]=-100:100", "thrust[1]=-100:100", "current.speed=0:1", "current.direction"),
    "bluerov2": (*(f"throttle[{motor}]=-1:1" for motor in range(4)), "current.speed=0:0.5", "current.direction"),
    "wam_v": ("thrust[0]=-250:250", "thrust[1]=-250:250"),
    "tito_neri": ("speed[0]=-60:60", "speed[1]=-60:60", "speed[2]=-1:1", "angle[0]=-2.3:2.3", "angle[1]=-2.3:2.3"),
}
MACHINERY = ("sea.significant_height=0 m:4 m", "sea.peak_period=4 s:12 s", "pto.damping=0:600 kN*s/m",
             "pto.force_limit=20 kN:400 kN", "stops.stroke=0.3 m:3 m")  # fmt: skip
PAGES: Mapping[str, OfFile | OfRun] = {
    "minerva_survey": OfFile("minerva_survey.yaml", YAML),
    "minerva_mission": OfFile("minerva_mission.yaml", YAML),
    "minerva_los": OfFile("minerva_los.yaml", YAML),
    "otter_los": OfFile("otter_los.yaml", YAML),
    "moored_barge": OfFile("moored_barge.yaml", YAML),
    "otter_helm": OfFile("otter_helm.yaml", LIVE),
    "otter_ros2": OfFile("otter_ros2.yaml", YAML),
    "otter_ardupilot": OfFile("otter_ardupilot.yaml", (*YAML, *_sliders(THRUSTS["otter"]))),
    "bluerov2_ardupilot": OfFile("bluerov2_ardupilot.yaml", (*YAML, *_sliders(THRUSTS["bluerov2"]))),
    "wam_v_ardupilot": OfFile("wam_v_ardupilot.yaml", (*YAML, *_sliders(THRUSTS["wam_v"]))),
    "tito_neri_ardupilot": OfFile("tito_neri_ardupilot.yaml", (*YAML, *_sliders(THRUSTS["tito_neri"]))),
    "tito_neri_ros": OfFile("tito_neri_ros/tito_neri.yaml", (*LIVE, *_sliders(ORDERS))),
    "towing": OfFile("towing.yaml", YAML),
    **{
        name: OfFile(f"{name}.yaml", YAML) for name in ("supply_dp", "osv_dp", "semisub_station_keeping", "npsauv_dive")
    },
    "tanker_turns": OfFile("tanker_turns.yaml", YAML),
    "ferry_turn": OfFile("ferry_turn.yaml", YAML),
    "mariner_zigzag": OfFile("mariner_zigzag.yaml", YAML),
    "wave_energy": OfFile("wave_energy/sea.yaml", (*YAML, *_sliders(MACHINERY)), library="wave_energy/wave_energy"),
    "minerva_currents": OfFile("studies/minerva_currents.yaml"),
    "los_benchmark": OfFile("comparisons/los_benchmark.yaml"),
    "quickstart": OfRun("quickstart", lambda names: names["full"]),
    "swap_fidelity": OfRun("swap_fidelity", lambda names: names["results"]["6 DOF"]),
    "three_tiers": OfRun("three_tiers", lambda names: names["results"]["COMPLEX"]),
    "minerva_manoeuvres": OfRun("minerva_manoeuvres", lambda names: names["runs"]["dive"]),
    "rudder_boat": OfRun("rudder_boat", _rudder_boat),
    "sailboat": OfRun("sailboat", lambda names: names["run"]),
    "tito_neri": OfRun("tito_neri", lambda names: names["trip"]),
    "river": OfRun("river", _river),
    "minimum_snap": OfRun("minimum_snap", lambda names: names["run"]()),
    "lutra_energy": OfRun("lutra_energy", lambda names: names["runs"][6]),
    "monte_carlo_los": OfRun("monte_carlo_los", _monte_carlo),
    "autopilot_design": OfRun("autopilot_design", lambda names: names["design"](2.0, names["cruise"]())[2]),
    "sea_trials": OfRun("sea_trials", _sea_trials),
    "pid_step": OfRun("pid_step", lambda names: names["response"]),
}
"""By the names that links have."""


def make(folder: Path, names: Iterable[str] = PAGES) -> dict[str, str]:
    """Write pages into a folder; why each that could not be made was not, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    problem = _missing()
    if problem:
        return dict.fromkeys(names, problem)
    newest = max(path.stat().st_mtime for path in _sources())
    old = [name for name in names if not _is_newer(folder / f"{name}.html", newest)]
    if not old:
        return {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(old)), mp_context=context) as pool:
        made = {name: pool.submit(_make, name, folder) for name in old}
    return {name: text for name, one in made.items() if (text := one.result())}


def _make(name: str, folder: Path) -> str:
    """Write one page; why it cannot be made here, or ""."""
    from blocks.errors import KeelblocksError

    page = folder / f"{name}.html"
    try:
        PAGES[name].write(page)
    except KeelblocksError as problem:
        page.unlink(missing_ok=True)  # an old one would show something else
        return str(problem).partition("\n")[0]
    return ""


def _missing() -> str:
    """What no page can be made without, if it is not here."""
    from studio.assets import asset
    from studio.engine import engine_for
    from studio.errors import ShareError

    try:
        asset("page.js")
        engine_for([])
    except ShareError as problem:
        return str(problem)
    return ""


def _sources() -> Iterator[Path]:
    """All that pages are made of."""
    import blocks
    import fmu
    import studio

    yield Path(__file__)
    for package in (blocks, fmu, studio):
        yield from (path for path in Path(package.__file__).parent.rglob("*") if _counts(path))
    yield from (path for path in EXAMPLES.rglob("*") if path.suffix in (".py", ".yaml", ".pxd", ".csv"))


def _counts(path: Path) -> bool:
    return path.suffix in (".py", ".yaml", ".js", ".css", ".wasm", ".gz") and "node_modules" not in path.parts


def _is_newer(page: Path, time: float) -> bool:
    return page.is_file() and page.stat().st_mtime > time


def _names(example: str) -> Names:
    """Run an example, which prints and draws nothing here; its names."""
    from matplotlib.figure import Figure

    import blocks.report

    Figure.savefig = lambda *_, **__: None  # type: ignore[method-assign]
    blocks.report.animate = lambda *_, **__: None  # type: ignore[assignment]
    sys.argv = [example]
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return runpy.run_path(str(EXAMPLES / f"{example}.py"), run_name="example")


def _with_compiled(library: str, scratch: Path) -> Path:
    """A folder with a copy of the examples beside a library, which is compiled there."""
    from blocks.libraries.building import build
    from blocks.libraries.compiling import platforms_of
    from blocks.libraries.package import find_library

    beside = Path(library).parent
    left_out = shutil.ignore_patterns("__keelblocks__", "__pycache__")
    shutil.copytree(EXAMPLES / beside, scratch / "examples" / beside, ignore=left_out)
    build(find_library(str(scratch / "examples" / library)), platforms_of(()))
    return scratch


if __name__ == "__main__":
    wanted = sys.argv[2:] or PAGES
    for _name, _why in make(Path(sys.argv[1]).resolve(), wanted).items():
        print(f"{_name}: {_why}")
