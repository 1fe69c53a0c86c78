"""Logs: results and running simulations as MCAP and rosbag 2, and bags as inputs."""

from blocks.live.logs.bag import bag_inputs
from blocks.live.logs.recorder import McapRecorder
from blocks.live.logs.result import save_mcap
from blocks.live.logs.writer import BagError

__all__ = ["BagError", "McapRecorder", "bag_inputs", "save_mcap"]
