"""Bags as inputs: our own logs give runs again to the bit, those of others are read, or it is told why not."""

import math
import sqlite3

import numpy as np
import pytest

from blocks import simulate
from blocks.binary import reading
from blocks.live.logs import BagError, bag_inputs, save_mcap
from blocks.live.logs.cdr_reading import deserialize
from blocks.live.messages import MessageError
from blocks.live.messages.cdr import Packer
from blocks.live.messages.contents import header

rosbag2 = pytest.importorskip("rosbags.rosbag2")

from rosbags.typesys import Stores, get_typestore  # noqa: E402

STORE = get_typestore(Stores.ROS2_HUMBLE)
ZERO = {"sec": 0, "nanosec": 0}


def twist(surge, yaw_rate):
    zero = {"x": 0.0, "y": 0.0, "z": 0.0}
    return {"linear": {**zero, "x": surge}, "angular": {**zero, "z": -yaw_rate}}


def write_bag(path, plugin, messages):
    """A bag as rosbags writes it: (topic, type, ns, content)."""
    with rosbag2.Writer(path, version=9, storage_plugin=plugin) as bag:
        connections = {}
        for topic, kind, time, content in messages:
            full = kind.replace("/", "/msg/")
            if topic not in connections:
                connections[topic] = bag.add_connection(topic, full, typestore=STORE)
            bag.write(connections[topic], time, Packer(kind).pack(content))
    return path


SENT = [
    ("/cmd_vel", "geometry_msgs/Twist", 5_000_000_000 + 250_000_000 * k, twist(0.5 * k, -0.1 * k)) for k in range(5)
] + [
    (
        "/pose", "geometry_msgs/PoseStamped", 4_500_000_000 + k,
        {
            "header": header(ZERO, "m" * (1 + k % 3)),
            "pose": {
                "position": {"x": float(k), "y": 2.0, "z": 3.0},
                "orientation": {"x": 0.0, "y": 0.0, "z": math.sqrt(0.5), "w": math.sqrt(0.5)},
            },
        },
    )
    for k in range(7)
]  # fmt: skip


@pytest.mark.parametrize("plugin", ["SQLITE3", "MCAP"])
@pytest.mark.parametrize("whole", [True, False], ids=["folder", "file"])
def test_bags_of_others_are_read(plugin, whole, tmp_path):
    bag = write_bag(tmp_path / "bag", rosbag2.StoragePlugin[plugin], SENT)
    bag = bag if whole else next(bag.glob("*[!l]"))
    inputs = {
        "nu": "/cmd_vel",
        "u": {"topic": "/cmd_vel", "value": "nu[u]", "interpolation": "linear"},
        "x": {"topic": "/pose", "value": "[y]"},
        "psi": {"topic": "/pose", "value": "eta[psi]"},
    }
    found = bag_inputs(bag, inputs)
    times, nu, way = found["nu"]
    assert times.tolist() == [0.5, 0.75, 1.0, 1.25, 1.5]  # since the first message in the bag
    assert (nu[:, 0].tolist(), nu[2].tolist(), way) == ([0, 0.5, 1, 1.5, 2], [1, 0, 0, 0, 0, -0.2], "hold")
    assert (found["u"][1].tolist(), found["u"][2]) == ([0, 0.5, 1, 1.5, 2], "linear")
    assert found["x"][1].tolist() == list(range(7))  # frames of different lengths, in the order of time
    np.testing.assert_allclose(found["psi"][1], 0.0, atol=1e-15)  # yaw π/2 is north


def test_a_run_is_had_again_to_the_bit(steered, boat, tmp_path):
    path = save_mcap(steered, tmp_path / "run.mcap")
    inputs = bag_inputs(path, {"force": "/force", "power": "/power"})
    assert inputs["force"][0].tobytes() == steered.time.tobytes()
    again = simulate(boat, steered.time[-1], step=1.0 / 3.0, inputs=inputs)
    for name in ("vessel.eta", "vessel.nu", "imu.specific_force", "battery.state_of_charge"):
        assert again.values(name).tobytes() == steered.values(name).tobytes(), name
    shifted = simulate(boat, 5.0, step=0.25, start=-2.0, inputs=inputs)
    early = bag_inputs(save_mcap(shifted, tmp_path / "early.mcap"), {"eta": {"topic": "/vessel/eta"}})["eta"]
    assert (early[0].tobytes(), early[1].tobytes()) == (shifted.time.tobytes(), shifted.values("vessel.eta").tobytes())


def test_of_messages_at_one_instant_the_last_counts(tmp_path):
    sent = [("/x", "std_msgs/Float64", time, {"data": value}) for time, value in ((10, 1.0), (30, 2.0), (10, 3.0))]
    bag = write_bag(tmp_path / "bag", rosbag2.StoragePlugin.SQLITE3, sent)
    times, values, _ = bag_inputs(bag, {"x": "/x"})["x"]
    assert (times.tolist(), values.tolist()) == ([0.0, 2e-8], [3.0, 2.0])


def test_what_is_not_there_is_told_with_what_is(steered, tmp_path):
    path = save_mcap(steered, tmp_path / "run.mcap")
    for inputs, said in (
        ({"f": "/forse"}, r"run.mcap has no messages on the topic '/forse'; did you mean '/force'"),
        ({"f": "/vessel/odom"}, r"topic /vessel/odom: say which value of nav_msgs/Odometry is wanted: eta or nu"),
        ({"f": {"topic": "/vessel/odom", "value": "mu"}}, r"has no value 'mu'; valid: eta, nu"),
        ({"f": {"topic": "/vessel/odom", "value": "nu[psi]"}}, r"'nu' has no element 'psi'"),
        ({"f": "/tf"}, r"messages of type tf2_msgs/TFMessage give no input; those that do are"),
        ({"f": 3}, r"input 'f' needs a topic, '/force' or"),
        ({"f": {"topic": "/force", "value": 3}}, r"input 'f': value is a name, such as 'nu\[u\]', not 3"),
        (["f"], r"inputs are topics by name, {'force': '/force'}, not \['f'\]"),
        ({"f": {"topic": "/force", "interpolate": "hold"}}, r"unknown key 'interpolate'; did you mean 'interpolation'"),
    ):
        with pytest.raises(BagError, match=said):
            bag_inputs(path, inputs)
    for other, said in (
        ("run.mcp", "there is no file .*run.mcp; did you mean 'run.mcap'"),
        (".", "is no bag: there is no file in it"),
        ("x.txt", r"a bag is a folder, or ends in \.mcap or \.db3"),
    ):
        (tmp_path / "x.txt").write_text("")
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(BagError, match=said):
            bag_inputs(tmp_path / "empty" if other == "." else tmp_path / other, {"f": "/force"})


def test_a_damaged_bag_is_told_and_this_process_goes_on(tmp_path):
    for name, content in (("a.mcap", b"\x89MCAP0\r\n" + bytes(200)), ("b.db3", b"SQLite format 3\0" + b"\xff" * 500)):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BagError, match=rf"{name} cannot be read as a bag, it may be cut short or damaged: "):
            bag_inputs(tmp_path / name, {"f": "/force"})
    path = tmp_path / "c.db3"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE topics(id, name, type, serialization_format)")
        made.execute("CREATE TABLE messages(topic_id, timestamp, data)")
        made.execute("INSERT INTO topics VALUES (1, '/f', 'std_msgs/msg/Float64', 'cdr')")
        made.execute("INSERT INTO topics VALUES (2, '/g', 'acme_msgs/msg/Float64', 'cdr')")
        made.executemany("INSERT INTO messages VALUES (?, 1, ?)", [(1, b"\0\1\0\0abc"), (2, b"\0\1\0\0")])
    made.close()
    with pytest.raises(BagError, match=r"topic /f: it has 7 bytes, and more are wanted"):
        bag_inputs(path, {"f": "/f"})
    with pytest.raises(BagError, match=r"topic /g: no message type 'acme_msgs/Float64'"):
        bag_inputs(path, {"f": "/g"})
    assert reading.read(path, "read_bag", [])["first"] == 1


def test_bytes_that_are_no_such_message_are_told():
    def read(content, kind="sensor_msgs/Joy"):
        return deserialize(kind, np.frombuffer(content, np.uint8), np.array([len(content)]))

    good = Packer("sensor_msgs/Joy").pack({"header": header(ZERO, ""), "axes": [1, -1], "buttons": []})
    assert read(good)["axes"].tolist() == [[1.0, -1.0]]
    for content, said in (
        (b"\0\1", "shorter than the four bytes"),
        (b"\0\0" + good[2:], "not encoded as CDR in little-endian order"),
        (good[:-9], "bytes, and more are wanted"),
        (good.replace(b"\2\0\0\0", b"\xff\xff\xff\xff"), "bytes, and more are wanted"),
    ):
        with pytest.raises(MessageError, match=said):
            read(content)
    with pytest.raises(MessageError, match="times std_msgs/MultiArrayDimension"):
        read(b"\0\1\0\0\xff\xff\xff\xff", "std_msgs/Float64MultiArray")


def test_arrays_that_change_their_length_are_told(tmp_path):
    def of(count):
        return {"layout": {"dim": [], "data_offset": 0}, "data": [1.0] * count}

    sent = [("/x", "std_msgs/Float64MultiArray", k, of(1 + k)) for k in range(2)]
    bag = write_bag(tmp_path / "bag", rosbag2.StoragePlugin.SQLITE3, sent)
    with pytest.raises(BagError, match=r"topic /x: the length of 'data' changes from message to message"):
        bag_inputs(bag, {"x": "/x"})
