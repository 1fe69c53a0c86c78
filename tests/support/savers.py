"""Everything of Keelblocks that writes files, twice with different contents, for `failing_disk`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from failing_disk import Saver
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import fmu
from blocks import Diagram, Simulator, Swarm, simulate
from blocks.basic import FirstOrderLag, Gain, Sine
from blocks.cli.lab.files import written
from blocks.live.logs import McapRecorder
from blocks.report.film import film
from blocks.run.checkpoint import Checkpoint
from blocks.scenario import Scenario
from blocks.study import Study
from blocks.yaml.mending import write_text


def system(which: int) -> Diagram:
    """A wave through a gain and a lag, which differs by its time constant."""
    diagram = Diagram("lag")
    diagram.add("wave", Sine([1.0], [2.0]))
    diagram.add("lag", FirstOrderLag(0.5 + which))
    diagram.add("gain", Gain(2.0))
    diagram.connect("wave.y", "lag.u")
    diagram.connect("lag.y", "gain.u")
    diagram.outputs(y="gain.y")
    return diagram


os.environ["SOURCE_DATE_EPOCH"] = "0"  # or matplotlib would write the time of day into pictures
RESULTS = [simulate(system(which), 1.0, step=0.1) for which in (0, 1)]


def contents(folder: Path) -> Any:
    """A checksum of every file."""
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}
    if not files:
        raise FileNotFoundError
    return files


def checkpoint(folder: Path) -> Any:
    """What a checkpoint holds: the zip that it is has times in it."""
    path = folder / "run.ckpt"
    taken = Checkpoint.load(path if path.exists() else Path(contents(folder)))
    return taken.plan, taken.state, taken.data.tolist()


CHECKPOINTS = [
    Checkpoint("", f"{which}", "rk4", ["x"], 1, 0.5, b"state" * 1000, np.arange(3.0), np.full((3, 1), float(which)))
    for which in (0, 1)
]


METRICS = {"last": "final(gain.y)"}
STUDY = Study(system(0), {"lag.time_constant": [0.5, 1.0, 2.0]}, METRICS, end=1.0, step=0.1)
OUTCOMES = [Study(system(which), {"gain.gain": [1.0]}, METRICS, end=1.0, step=0.1).run("serial") for which in (0, 1)]


def run_study(folder: Path) -> Any:
    """Run what is not there yet; the table of all of it."""
    return STUDY.run("serial", folder=folder / "study", batch=1).table.to_csv()


def save_scenario(folder: Path, which: int) -> None:
    Scenario(system(which), name="lag", settings={"end": 1.0, "step": 0.1}).save(folder / "lag.yaml")


def save_swarm(folder: Path, which: int) -> None:
    Swarm(system(which), 2).run(0.5, step=0.1, summarise="lag.y").save(folder / "swarm.nc")


def swarm(folder: Path) -> Any:
    """What was recorded of a swarm, and its summary."""
    path = folder / "swarm.nc"
    with xr.open_dataset(path) as recorded, xr.open_dataset(path, group="summary") as summary:
        return recorded["lag.y"].values.tolist(), summary["lag.y"].values.tolist()


def save_log(folder: Path, which: int) -> None:
    recorder = McapRecorder(folder / "live.mcap")
    with Simulator(system(which), step=0.1) as simulator, recorder:
        recorder.open(simulator)
        for _ in range(3):
            recorder.write(simulator, simulator.advance(0.1))


def save_film(folder: Path, which: int) -> None:
    figure = Figure((1 + which, 1), dpi=30)
    FigureCanvasAgg(figure)

    def write(path: Path) -> None:
        with film(figure, path, 10.0, [(1.0, 1.0, 1.0)]) as take:
            take()
            figure.text(0.5, 0.5, "second")
            take()

    written(folder / "film.gif", write)


def save_picture(folder: Path, which: int) -> None:
    written(folder / "deep" / "picture.png", Figure((1 + which, 1), dpi=30).savefig)


def mend(folder: Path, which: int) -> None:
    """What `check --fix` and `Problem.fix` do with a file."""
    write_text(folder / "small.yaml", f"keelblocks: 1\nname: small{which}\n")


def results() -> list[Saver]:
    """What a run leaves."""
    return [
        *(
            Saver(
                f"result.{ending}",
                lambda folder, which, ending=ending: RESULTS[which].save(folder / f"run.{ending}"),
                contents,
            )
            for ending in ("nc", "csv", "parquet")
        ),
        Saver("log", save_log, contents),
        Saver("swarm", save_swarm, swarm),
        Saver("checkpoint", lambda folder, which: CHECKPOINTS[which].save(folder / "run.ckpt"), checkpoint),
        Saver("scenario", save_scenario, contents),
        Saver("mend", mend, contents),
    ]


def studies() -> list[Saver]:
    """A study's folder, and its tables."""
    return [
        Saver("study", lambda folder, which: run_study(folder), run_study, resumes=True),
        *(
            Saver(
                f"outcome.{ending}",
                lambda folder, which, ending=ending: OUTCOMES[which].save(folder / f"t.{ending}"),
                contents,
            )
            for ending in ("nc", "csv", "parquet")
        ),
    ]


def exports() -> list[Saver]:
    """What leaves for other tools."""
    return [
        Saver("fmu", lambda folder, which: fmu.export(system(which), folder / "lag.fmu"), contents),
        Saver("ssp", lambda folder, which: fmu.export_ssp(system(which), folder / "lag.ssp", step=0.1), contents),
        Saver("osp", lambda folder, which: fmu.export_osp(system(which), folder / "osp", step=0.1), contents),
    ]


def figures() -> list[Saver]:
    """Pictures and films."""
    return [
        Saver("film", save_film, contents),
        Saver("picture", save_picture, contents),
    ]


def careless() -> list[Saver]:
    """As it should not be."""
    return [
        Saver("careless", lambda folder, which: (folder / "x").write_text(f"{which}" * 100), contents, kinds=("write",))
    ]
