"""Bags of ROS 2 as inputs: MCAP as we write it, and SQLite as rosbag 2 does."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from blocks import Diagram, simulate
from blocks.dynamics import KinematicVehicle
from blocks.live.logs import bag_inputs, save_mcap
from blocks.live.messages import odometry, stamp_of
from blocks.live.messages.cdr import Packer
from fuzzing.mutate.raw import raw
from fuzzing.reader import Reader

_INPUTS = {
    "force": "/vehicle/force",
    "nu": {"topic": "/vehicle/odom", "value": "nu"},
    "psi": {"topic": "/vehicle/eta", "value": "[5]", "interpolation": "linear"},
}


def _bags(folder: Path) -> Mapping[str, bytes]:
    path = folder / "made.db3"
    stamps = np.arange(8)
    odometries = odometry(stamp_of(0.1 * stamps), "odom", "base_link", eta=np.ones((8, 6)), nu=np.ones((8, 6)))
    with closing(sqlite3.connect(path)) as bag:
        bag.executescript(
            "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);"
            "INSERT INTO topics VALUES (1, '/vehicle/odom', 'nav_msgs/msg/Odometry', 'cdr');"
            "CREATE INDEX timestamp_idx ON messages (timestamp ASC)"
        )
        packed = Packer("nav_msgs/Odometry").pack_each(odometries, 8)
        rows = [(10**8 * number, data) for number, data in enumerate(packed)]
        bag.executemany("INSERT INTO messages(topic_id, timestamp, data) VALUES (1, ?, ?)", rows)
        bag.commit()
    diagram = Diagram()
    diagram.add("vehicle", KinematicVehicle())
    diagram.inputs(force="vehicle.force")
    force = (0.1 * stamps, np.outer(stamps, np.ones(6)))
    run = simulate(diagram, 0.7, step=0.1, inputs={"force": force})
    topics = {
        "/vehicle/force": {"type": "geometry_msgs/WrenchStamped", "force": "force_series.y"},
        "/vehicle/odom": {"type": "nav_msgs/Odometry", "eta": "vehicle.eta", "nu": "vehicle.nu"},
    }
    mcap = save_mcap(run, folder / "made.mcap", topics=topics, signals="vehicle.eta")
    return {"log.mcap": mcap.read_bytes(), "log.db3": path.read_bytes()}


def _read(path: Path) -> Any:
    return bag_inputs(path, _INPUTS if path.suffix == ".mcap" else {"nu": _INPUTS["nu"]})


READERS = (Reader("bag", _bags, _read, raw, 9),)
