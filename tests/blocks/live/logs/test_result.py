"""Results as MCAP, read back by what others read it with."""

import pickle

import numpy as np
import pytest

from blocks import Output, PythonBlock, Result, simulate
from blocks.live.logs import BagError, bag_inputs, save_mcap
from blocks.live.messages import MessageError, plain, publications, stamp_of
from blocks.live.messages.entries import topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.run.result import ResultError
from blocks.signal import Number

mcap_reader = pytest.importorskip("mcap.reader")
rosbags = pytest.importorskip("rosbags.highlevel")

from mcap_ros2.decoder import DecoderFactory  # noqa: E402

TOPICS = {
    "/odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu", "rate": "1 Hz"},
    "/pose": {"type": "geometry_msgs/PoseStamped", "eta": "vessel.eta", "frame_id": "map"},
    "/twist": {"type": "geometry_msgs/TwistStamped", "nu": "vessel.nu"},
    "/cmd_vel": {"type": "geometry_msgs/Twist", "nu": "vessel.nu"},
    "/tf": {"type": "tf2_msgs/TFMessage", "transforms": {"boat": "vessel.eta", "b": "vessel.eta"}},
    "/force": {"type": "geometry_msgs/WrenchStamped", "force": "force"},
    "/imu": {"type": "sensor_msgs/Imu", "block": "imu"},
    "/fix": {"type": "sensor_msgs/NavSatFix", "block": "gnss"},
    "/battery": {"type": "sensor_msgs/BatteryState", "block": "battery"},
    "/numbers": {"type": "std_msgs/Float64MultiArray", "data": ["vessel.nu", "battery.voltage"]},
    "/heading": {"type": "std_msgs/Float64", "data": "vessel.eta[psi]"},
    "/clock": {"type": "rosgraph_msgs/Clock"},
}


def contents(message):
    """What a decoder of others found, as plain data."""
    if isinstance(message, (list, tuple)):
        return [contents(item) for item in message]
    if isinstance(message, np.ndarray):
        return message.tolist()
    names = [n for n in getattr(message, "__slots__", ()) or getattr(message, "__dict__", {}) if not n.startswith("_")]
    return {name: contents(getattr(message, name)) for name in names} if names else message


def close(found, wanted):
    """Equal, numbers to what a float32 has where the message has such ones."""
    if isinstance(wanted, dict):
        assert set(found) == set(wanted)
        return all(close(found[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(close(a, b) for a, b in zip(found, wanted, strict=True))
    if isinstance(wanted, float):
        return found == wanted or np.float32(found) == np.float32(wanted) or (np.isnan(found) and np.isnan(wanted))
    return found == wanted


@pytest.fixture(scope="module")
def typed(steered, tmp_path_factory):
    return save_mcap(steered, tmp_path_factory.mktemp("logs") / "typed.mcap", topics=TOPICS, signals=[])


def wanted(run, boat, topic, row):
    [made] = publications(topic_entries({topic: TOPICS[topic]}), Signals(run.places, boat.blocks()))
    return plain(made.message(lambda name: run.values(name)[row], stamp_of(run.time[row])))


def test_mcap_ros2_support_reads_every_message(typed, steered, boat):
    with typed.open("rb") as stream:
        reader = mcap_reader.make_reader(stream, decoder_factories=[DecoderFactory()])
        found = [(channel.topic, m.log_time, content) for _, channel, m, content in reader.iter_decoded_messages()]
        assert reader.get_header().profile == "ros2"
    assert [time for _, time, _ in found] == sorted(time for _, time, _ in found)
    for topic in TOPICS:
        mine = [(time, content) for name, time, content in found if name == topic]
        times = steered.time[:: 3 if topic == "/odom" else 1]
        assert [time for time, _ in mine] == np.rint(times * 1e9).astype(int).tolist()
        row = np.flatnonzero(steered.time == times[-2])[0]
        assert close(contents(mine[-2][1]), wanted(steered, boat, topic, row)), topic


def test_rosbags_reads_every_message(typed, steered, boat):
    with rosbags.AnyReader([typed]) as bag:
        found = {}
        for connection, _, raw in bag.messages():
            found.setdefault(connection.topic, []).append(bag.deserialize(raw, connection.msgtype))
        assert bag.message_count == sum(map(len, found.values()))
    for topic in TOPICS:
        row = np.flatnonzero(steered.time == steered.time[:: 3 if topic == "/odom" else 1][3])[0]
        content = contents(found[topic][3])
        assert close(content, wanted(steered, boat, topic, row)), topic


def test_a_result_says_by_itself_what_it_is(steered, tmp_path):
    """By the entry point of Keelblocks itself."""
    path = steered.save(tmp_path / "run.mcap")
    with path.open("rb") as stream:
        summary = mcap_reader.make_reader(stream).get_summary()
    types = {c.topic: summary.schemas[c.schema_id].name.split("/")[-1] for c in summary.channels.values()}
    assert len(summary.chunk_indexes) == summary.statistics.chunk_count >= 1
    made = {"vessel/odom": "Odometry", "tf": "TFMessage", "imu/data": "Imu", "gnss/navsat": "NavSatFix"}
    made |= {"battery/state": "BatteryState"}
    assert {topic: types[f"/{topic}"] for topic in made} == made
    assert (types["/vessel/eta"], types["/battery/voltage"], types["/force"]) == (
        "Float64MultiArray", "Float64", "WrenchStamped",
    )  # fmt: skip
    assert {f"/{name.replace('.', '/')}" for name in steered} <= set(types)


def test_a_run_without_a_point_and_one_from_another_process_are_saved_too(steered, tmp_path):
    """A result that was sent has no blocks, and so no covariances."""
    sent = pickle.loads(pickle.dumps(steered))
    with save_mcap(sent, tmp_path / "sent.mcap", topics={"/i": TOPICS["/imu"]}, signals=[]).open("rb") as stream:
        reader = mcap_reader.make_reader(stream, decoder_factories=[DecoderFactory()])
        messages = [content for *_, content in reader.iter_decoded_messages()]
    assert (len(messages), max(messages[0].angular_velocity_covariance)) == (len(steered), 0.0)
    empty = Result(
        np.empty(0), steered.places, steered._columns, np.empty((0, steered._table.shape[1])), steered.attributes
    )
    with empty.save(tmp_path / "empty.mcap").open("rb") as stream:
        assert mcap_reader.make_reader(stream).get_summary().statistics.message_count == 0


def test_names_that_ros_has_not_are_written_otherwise(tmp_path):
    class Greek(PythonBlock):
        """Two outputs."""

        η = Output(Number, "one")
        ν = Output(Number, "another")

        def outputs(self, t, states, inputs):
            return {"η": 1.0, "ν": 2.0}

    path = simulate(Greek(), 1.0, step=0.5).save(tmp_path / "greek.mcap")
    found = bag_inputs(path, {"a": "/greek/_", "b": "/greek/__"})
    assert (found["a"][1].tolist(), found["b"][1].tolist()) == ([1.0] * 3, [2.0] * 3)


def test_what_cannot_be_written_is_told(steered, tmp_path):
    with pytest.raises(MessageError, match=r"topic /o\.eta is missing"):
        save_mcap(steered, tmp_path / "a.mcap", topics={"/o": {"type": "nav_msgs/Odometry", "nu": "vessel.nu"}})
    with pytest.raises(MessageError, match=r"topic /o: no signal 'vesel.nu'; did you mean 'vessel.nu'"):
        save_mcap(steered, tmp_path / "a.mcap", topics={"/o": {"type": "geometry_msgs/Twist", "nu": "vesel.nu"}})
    with pytest.raises(MessageError, match=r"topic /a b cannot be '/a b': letters, digits and underscores"):
        save_mcap(steered, tmp_path / "a.mcap", topics={"/a b": {"type": "rosgraph_msgs/Clock"}})
    with pytest.raises(MessageError, match=r"topics are a mapping, .*, not \[1\]"):
        save_mcap(steered, tmp_path / "a.mcap", topics=[1])
    with pytest.raises(ResultError, match=r"the ending must be \.mcap"):
        save_mcap(steered, tmp_path / "a.bag")
    with pytest.raises(BagError, match=r"'vesel.\*' was not recorded"):
        save_mcap(steered, tmp_path / "a.mcap", signals="vesel.*")
    assert not list(tmp_path.iterdir())


def test_without_the_package_it_says_how_to_get_it(steered, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mcap.writer", None)
    with pytest.raises(ResultError, match=r"pip install 'keelblocks\[mcap\]'"):
        steered.save(tmp_path / "run.mcap")
    assert not list(tmp_path.iterdir())
