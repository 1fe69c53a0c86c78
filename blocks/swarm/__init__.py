"""Many runs of one diagram at once, with other numbers."""

from blocks.swarm.fleet import Fleet
from blocks.swarm.result import SwarmResult
from blocks.swarm.swarm import Swarm

__all__ = ["Fleet", "Swarm", "SwarmResult"]
