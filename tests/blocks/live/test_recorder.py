"""Recordings that grow while a run goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from blocks import Result, RunStopped, Simulator
from blocks.basic import Integrator
from blocks.diagram import Diagram
from blocks.errors import SimulationError
from blocks.live.recorder import Recorder
from blocks.realtime.turns import Turns, hertz


def tank() -> Simulator:
    diagram = Diagram("tank")
    level = diagram.add("level", Integrator())
    diagram.inputs(flow=level.u)
    diagram.outputs(level=level.y)
    return Simulator(diagram, step=0.01, inputs={"flow": 1.0}, record=[])


def test_a_csv_can_be_read_while_it_grows_and_is_there_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blocks.live.recorder._FLUSH", 0.0)
    path, lengths = tmp_path / "new" / "run.csv", []

    def look(simulator: Simulator, t: float) -> None:
        lengths.append(len(path.read_text().splitlines()))
        if t > 0.45:
            raise OSError("the wire is cut")

    with pytest.raises(RunStopped):
        tank().run_realtime(end=1, factor=0, rate=10, sinks=[Recorder(path, ["level.y", "flow"]), look])
    assert lengths == [2, 3, 4, 5, 6, 7]  # the heading, and a row for each instant
    assert path.read_text().splitlines()[0] == "time [s],level.y [1],flow [1]"
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    assert table[:, 0] == pytest.approx(0.1 * np.arange(6))
    assert table[:, 1] == pytest.approx(table[:, 0])


def test_a_netcdf_is_a_result_of_its_own_rate(tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    simulator = tank()
    simulator.advance(1.0)
    simulator.run_realtime(end=3, factor=0, sinks=[Recorder(path, rate="2 Hz")])
    loaded = Result.load(path)
    assert loaded["level"].values == pytest.approx([1, 1.5, 2, 2.5, 3])
    assert list(loaded) == ["level"]


def test_what_cannot_be_recorded_says_so(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r"the ending of a recording must be \.csv, \.nc or \.parquet"):
        Recorder(tmp_path / "run.mat")
    (tmp_path / "file").touch()
    with pytest.raises(
        SimulationError, match=r"the sink 'Recorder': cannot write .*/file/run.csv: (Not a directory|File exists)"
    ):
        tank().run_realtime(end=1, sinks=[Recorder(tmp_path / "file" / "run.csv")])
    with pytest.raises(SimulationError, match="no output 'levle'; did you mean 'level'"):
        tank().run_realtime(end=1, sinks=[Recorder(tmp_path / "run.csv", "levle")])


@pytest.mark.parametrize("rate", [100, "50 Hz", 10.0, 3])
def test_a_rate_takes_each_of_its_instants_once_whatever_rounding_does(rate: object) -> None:
    """At 100 Hz t · rate is 28.999999999999996 for the 29th turn."""
    turns = Turns(rate)  # type: ignore[arg-type]
    taken = [t for t in (0.01 * number for number in range(1001)) if turns.due(t)]
    assert len(taken) == round(hertz(rate) * 10.0) + 1
