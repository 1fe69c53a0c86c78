"""What a swarm returns, under the name that scripts know."""

from blocks.swarm.result import SwarmResult

__all__ = ["SwarmResult"]
