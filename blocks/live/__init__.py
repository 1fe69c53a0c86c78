"""Adapters around a simulation that runs: real time, ROS 2, autopilots, logs, learners."""
