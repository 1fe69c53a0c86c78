"""Many runs of one diagram at once, with other numbers."""

from blocks.swarm.result import SwarmResult
from blocks.swarm.swarm import Swarm

__all__ = ["Swarm", "SwarmResult"]
