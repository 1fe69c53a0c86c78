"""Sensors: what instruments on board say of where a vehicle is and how it moves."""

from blocks.sensors.compass import Compass
from blocks.sensors.depth_gauge import DepthGauge
from blocks.sensors.doppler_log import DopplerLog
from blocks.sensors.gnss import Gnss
from blocks.sensors.imu import Imu

__all__ = ["Compass", "DepthGauge", "DopplerLog", "Gnss", "Imu"]
