"""Control: from references and measurements to forces, and putting forces together."""

from blocks.control.pid import PID
from blocks.control.wrench import ComposeWrench

__all__ = ["PID", "ComposeWrench"]
