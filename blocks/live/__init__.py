"""Doors for others to a simulation that runs: real time, logs, ROS 2, autopilots, learners."""
