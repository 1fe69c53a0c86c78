"""Scenarios as environments that learn: Gymnasium over `Simulator` and `Fleet`. Importing this registers them.

import gymnasium
import blocks.live.learning
env = gymnasium.make("keelblocks/OtterPathFollowing-v0")
envs = gymnasium.make_vec("keelblocks/Scenario-v0", num_envs=64, scenario="mine.yaml")
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from blocks.errors import SimulationError

if TYPE_CHECKING:
    from blocks.live.learning.environment import ScenarioEnv as ScenarioEnv
    from blocks.live.learning.evaluation import Episodes as Episodes
    from blocks.live.learning.evaluation import evaluate as evaluate
    from blocks.live.learning.stable_baselines import StableBaselinesVecEnv as StableBaselinesVecEnv
    from blocks.live.learning.vector_environment import ScenarioVectorEnv as ScenarioVectorEnv

_WHERE = {
    "ScenarioEnv": "environment",
    "ScenarioVectorEnv": "vector_environment",
    "Episodes": "evaluation",
    "evaluate": "evaluation",
    "StableBaselinesVecEnv": "stable_baselines",
}
__all__ = ["Episodes", "ScenarioEnv", "ScenarioVectorEnv", "evaluate"]


def __getattr__(name: str) -> Any:
    """What needs Gymnasium is imported when it is asked for. Raises SimulationError where that is not installed."""
    if name not in _WHERE:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    if importlib.util.find_spec("gymnasium") is None:
        raise SimulationError("environments for learners need Gymnasium: pip install 'keelblocks[gym]'")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)


if importlib.util.find_spec("gymnasium") is not None:
    from blocks.live.learning.registration import register

    register()
