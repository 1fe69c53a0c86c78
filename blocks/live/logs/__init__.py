"""Logs: results and running simulations as MCAP and rosbag 2, and bags as inputs."""
