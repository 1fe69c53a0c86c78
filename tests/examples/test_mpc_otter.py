"""Model-predictive control of the Otter on its FMU: round a corner, in a current that it has to find out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import fmu
from blocks import Simulator

pytest.importorskip("casadi", reason="needs casadi: pip install 'keelblocks[mpc]'")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import mpc_otter

        yield mpc_otter
    sys.modules.pop("mpc_otter", None)


@pytest.fixture(scope="module")
def model(example, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mpc")
    path = fmu.export(example.plant(), folder / "otter.fmu", step=example.PERIOD)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)  # where CasADi unpacks it, and leaves it if its process is ended
        return example.Model(path)


@pytest.fixture(scope="module")
def path(example):
    return example.Path2D(np.array([[0.0, 0.0], [18.0, 0.0], [18.0, 15.0]]))


@pytest.fixture(scope="module")
def track(example, model, path):
    return example.follow(path, model, example.Controller(model, path))


def test_it_goes_round_the_corner_and_arrives(example, path, track):
    """On the legs within centimetres; no nearer to the corner than a hull that turns can be."""
    off = path.distance(track.pose[:, :2])
    assert off.max() < 0.8
    north = (track.time > 10.0) & (track.time < 14.0)
    assert off[north].max() < 0.05
    assert np.linalg.norm(track.pose[-1, :2] - path.waypoints[-1]) < example.ARRIVED + 0.2
    assert 28.0 < track.time[-1] < 33.0


def test_it_finds_the_current_and_heads_into_it(example, track):
    """At 1 m/s through the water and 0.3 m/s across, the heading on the first leg is off by asin 0.3."""
    late = track.time > 10.0
    assert np.abs(track.current[late] - example.CURRENT).max() < 0.005
    steady = np.argmin(np.abs(track.time - 11.0))
    assert track.pose[steady, 2] == pytest.approx(-np.arcsin(0.3), abs=0.01)
    assert np.hypot(*track.pose[steady, 3:5]) == pytest.approx(np.sqrt(1.0 - 0.3**2), abs=0.01)


def test_thrusts_keep_their_limits_and_are_used(example, model, track):
    low, high = model.thrust
    assert low == pytest.approx(-0.99 * 66.708)
    assert high == pytest.approx(0.99 * 119.682)
    assert track.thrust.min() > low - 1e-6
    assert track.thrust.max() < high + 1e-6
    assert track.thrust.max() > 0.95 * high
    assert np.abs(np.diff(track.thrust, axis=0)).max() < example.PERIOD * example.THRUST_RATE + 1e-6


def test_a_plan_is_what_the_engine_does(example, model):
    """The FMU in the horizon and the engine have the same step."""
    x, thrust, current = np.array([1.0, 2.0, 0.4, 0.9, -0.1, 0.2]), np.array([60.0, 30.0]), np.array([0.1, 0.2])
    found = np.array(model.next(np.r_[x, 0.0, thrust], current)[0]).ravel()
    start = {"vessel.initial_eta": [1.0, 2.0, 0.0, 0.0, 0.0, 0.4], "vessel.initial_nu": [0.9, -0.1, 0.0, 0.0, 0.0, 0.2]}
    inputs = {"command": thrust, "current": np.r_[current, 0.0]}
    with Simulator(example.plant(), step=example.PERIOD, inputs=inputs) as boat:
        boat.reset(parameters=start)
        boat.advance(example.PERIOD)
        assert found == pytest.approx(boat["vessel.nu"][[0, 1, 5]], rel=1e-12)


def test_tables_and_figures(example, path, track, tmp_path):
    tracks = {"MPC": track, "LOS": example.line_of_sight(path, {}), "LOS with integral": track}
    measures = {name: one.measures(path) for name, one in tracks.items()}
    rms = "RMS distance from the path, m"
    assert measures["MPC"][rms] < 0.3 < measures["LOS"][rms]
    assert example.compare(tracks, path).row_count == len(measures["MPC"])
    figure = example.draw(tracks, path)
    assert len(figure.axes) == 6
    figure.savefig(tmp_path / "mpc.png")


@pytest.mark.filterwarnings("ignore")
def test_do_mpc_finds_what_the_iteration_does(example, model, path):
    """Solved to convergence or one iteration at a time: the boat goes the same way."""
    pytest.importorskip("do_mpc", reason="needs do-mpc: pip install 'keelblocks[mpc]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import mpc_otter_do_mpc
    one = example.follow(path, model, example.Controller(model, path), most=0.6)
    other = example.follow(path, model, mpc_otter_do_mpc.DoMpc(model, path), most=0.6)
    assert len(other.time) == 12
    assert np.abs(one.pose - other.pose)[:, :3].max() < 0.02
    assert np.abs(one.thrust - other.thrust).max() < 6.0
