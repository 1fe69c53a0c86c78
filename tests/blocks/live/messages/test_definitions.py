"""Definitions of messages, beside those that come with rosbags."""

import pytest

from blocks.live.messages.definitions import DEFINITIONS, definition, full_name, short_name

rosbags = pytest.importorskip("rosbags.typesys")


@pytest.mark.parametrize("release", ["ROS2_HUMBLE", "ROS2_KILTED"])
def test_types_have_the_hashes_of_ros(release):
    """The hash of a type is over names and types of all its fields (REP 2011)."""
    theirs = rosbags.get_typestore(rosbags.Stores[release])
    ours = rosbags.get_typestore(rosbags.Stores.EMPTY)
    for name in DEFINITIONS:
        ours.register(rosbags.get_types_from_msg(definition(name), full_name(name)))
    assert {n: ours.hash_rihs01(full_name(n)) for n in DEFINITIONS} == {
        n: theirs.hash_rihs01(full_name(n)) for n in DEFINITIONS
    }


def test_names_go_both_ways():
    assert full_name("nav_msgs/Odometry") == "nav_msgs/msg/Odometry"
    assert short_name("nav_msgs/msg/Odometry") == short_name("nav_msgs/Odometry") == "nav_msgs/Odometry"
