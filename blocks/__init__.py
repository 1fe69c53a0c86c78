"""Keelblocks: a block library for marine craft. Compose blocks, run them at C speed, take them away as FMUs.

from blocks import Diagram, simulate
from blocks.dynamics import Vessel6DOF
"""

from blocks.block import Block, library
from blocks.declare import Input, Output, Parameter, State
from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, KeelblocksWarning
from blocks.port import PortRef
from blocks.python_block import PythonBlock
from blocks.result import Result
from blocks.signal import Signal
from blocks.simulation import RunInterrupted, RunStopped, simulate
from blocks.swarm import Swarm

__all__ = [
    "Block",
    "Diagram",
    "Input",
    "KeelblocksError",
    "KeelblocksWarning",
    "Output",
    "Parameter",
    "PortRef",
    "PythonBlock",
    "Result",
    "RunInterrupted",
    "RunStopped",
    "Signal",
    "State",
    "Swarm",
    "library",
    "simulate",
]
