"""Recording while a simulation runs, turn by turn as the loop in real time does it."""

import numpy as np
import pytest

from blocks import Simulator, simulate
from blocks.errors import SimulationError
from blocks.live.logs import BagError, McapRecorder, bag_inputs
from blocks.live.messages.contents import MessageError

STEP = 0.02


def steer(simulator, recorder, turns, seed=0):
    """Turns of five steps: inputs are set after what was logged, and hold from then on."""
    random = np.random.default_rng(seed)
    simulator["power"] = [24.0]
    simulator["force"] = random.normal(size=6)
    for _ in range(turns):
        t = simulator.advance(5 * STEP)
        recorder.write(simulator, t)
        simulator["force"] = random.normal(size=6)


def test_a_live_run_is_had_again_to_the_bit(boat, tmp_path):
    """More turns than are kept until messages are made of them."""
    path = tmp_path / "new" / "live.mcap"
    with Simulator(boat, step=STEP, every=5) as simulator, McapRecorder(path) as recorder:
        recorder.open(simulator)
        steer(simulator, recorder, 300)
        assert not path.exists()
        recorder.close()
        run = simulator.result()
    assert recorder.files == [path]
    logged = bag_inputs(path, {"force": "/force", "power": "/power", "eta": "/vessel/eta"})
    assert logged["eta"][1].tobytes() == run.values("vessel.eta")[1:].tobytes()
    inputs = {name: logged[name] for name in ("force", "power")}
    again = simulate(boat, run.time[-1], step=STEP, every=5, inputs=inputs)
    assert again.values("vessel.eta").tobytes() == run.values("vessel.eta").tobytes()


def test_topics_have_rates_and_a_reset_begins_another_file(boat, tmp_path):
    topics = {
        "/odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu", "rate": "2 Hz"},
        "/psi": {"type": "std_msgs/Float64", "data": "vessel.eta[psi]"},
        "/clock": {"type": "rosgraph_msgs/Clock"},
    }
    recorder = McapRecorder(tmp_path / "live.mcap", [], topics=topics)
    with Simulator(boat, step=STEP, record=[]) as simulator:
        recorder.open(simulator)
        steer(simulator, recorder, 20)
        simulator.reset()
        steer(simulator, recorder, 5)
        recorder.close()
        psi = float(simulator["vessel.eta[psi]"])
    assert [file.name for file in recorder.files] == ["live.mcap", "live_2.mcap"]
    first, second = (bag_inputs(f, {"u": {"topic": "/odom", "value": "nu[u]"}, "psi": "/psi"}) for f in recorder.files)
    np.testing.assert_allclose(first["u"][0], [0.1, 0.6, 1.1, 1.6], atol=1e-12)
    assert (len(first["psi"][0]), second["psi"][0][-1], second["psi"][1][-1]) == (20, pytest.approx(0.5), psi)


def test_signals_and_rate_thin_out_what_is_logged(boat, tmp_path):
    recorder = McapRecorder(tmp_path / "live.mcap", "vessel.*", rate="5 Hz")
    with Simulator(boat, step=STEP) as simulator:
        recorder.open(simulator)
        steer(simulator, recorder, 20)
        recorder.close()
    assert len(bag_inputs(tmp_path / "live.mcap", {"eta": "/vessel/eta"})["eta"][0]) == 10
    with pytest.raises(BagError, match=r"no messages on the topic '/force'"):
        bag_inputs(tmp_path / "live.mcap", {"f": "/force"})


def test_what_cannot_be_recorded_is_told(boat, tmp_path):
    with pytest.raises(BagError, match=r"run\.bag: the ending of a log must be \.mcap"):
        McapRecorder(tmp_path / "run.bag")
    with pytest.raises(MessageError, match="rate must be more than 0 Hz, not 0"):
        McapRecorder(tmp_path / "run.mcap", rate=0)
    (tmp_path / "file").write_text("")
    with Simulator(boat, step=STEP) as simulator:
        with pytest.raises(SimulationError, match=r"log: no output 'vesel.eta'; did you mean 'vessel.eta'"):
            McapRecorder(tmp_path / "run.mcap", "vesel.eta").open(simulator)
        with pytest.raises(BagError, match=r"cannot write .*run\.mcap: "):
            McapRecorder(tmp_path / "file" / "run.mcap").open(simulator)
        with pytest.raises(BagError, match=r"open\(simulator\) comes first"):
            McapRecorder(tmp_path / "run.mcap").write(simulator, 0.0)
