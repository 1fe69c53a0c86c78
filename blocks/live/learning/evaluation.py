"""What a policy is worth: its returns over episodes, beside those of the scenario's own controllers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.live.learning.setup import Source
from blocks.live.learning.vector_environment import ScenarioVectorEnv

Array = NDArray[np.float64]
Policy = Callable[[NDArray[np.float32]], Any]
"""From what is seen, vehicles × numbers, to actions, vehicles × numbers between -1 and 1."""


@dataclass
class Episodes:
    """What came of episodes, one number of each in every array."""

    returns: Array
    """Sums of the rewards."""
    lengths: Array
    """s."""
    terms: dict[str, Array]
    """Sums of each term of the reward."""
    metrics: dict[str, Array]
    ended_by: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.returns)

    def __str__(self) -> str:
        spread = self.returns.std(ddof=1) / np.sqrt(len(self)) if len(self) > 1 else np.nan
        ends = ", ".join(f"{name} {self.ended_by.count(name)}" for name in dict.fromkeys(self.ended_by))
        return f"return {self.returns.mean():.2f} ± {spread:.2f} of {len(self)} episodes ({ends})"


def evaluate(
    scenario: Source, policy: Policy | None = None, *, episodes: int = 100, seed: int = 0, **options: Any
) -> Episodes:
    """Run one episode for each of the seeds `seed`, `seed` + 1, … and say what came of them.

    policy: from observations to actions; None: the scenario's own controllers act, in the same episodes.
    options: what `ScenarioVectorEnv` takes besides: environment, threads, solver and so on.

    Raises SimulationError for a number of episodes that cannot be, and what `ScenarioVectorEnv` raises.
    """
    if isinstance(episodes, bool) or not isinstance(episodes, (int, np.integer)) or episodes < 1:
        raise SimulationError(f"a whole number of episodes ≥ 1 is wanted, not {episodes!r}")
    env = ScenarioVectorEnv(scenario, num_envs=int(episodes), reference=policy is None, **options)
    try:
        return _run(env, policy, seed)
    finally:
        env.close()


def _run(env: ScenarioVectorEnv, policy: Policy | None, seed: int) -> Episodes:
    count = env.num_envs
    seen, _ = env.reset(seed=seed)
    found = Episodes(np.zeros(count), np.zeros(count), {}, {}, [""] * count)
    going = np.ones(count, dtype=np.bool_)
    still = np.zeros(env.action_space.shape or (), dtype=np.float32)
    while going.any():
        seen, rewards, terminated, truncated, told = env.step(still if policy is None else policy(seen))
        found.returns[going] += rewards[going]
        found.lengths[going] += 1.0
        for name, term in env.reward_terms.items():
            found.terms.setdefault(name, np.zeros(count))[going] += term[going]
        for i in np.flatnonzero(going & (terminated | truncated)):
            found.ended_by[i] = told["ended_by"][i]
            for name, values in told.get("metrics", {}).items():
                if not name.startswith("_"):
                    found.metrics.setdefault(name, np.full(count, np.nan))[i] = values[i]
        going &= ~(terminated | truncated)
    found.lengths *= env.setup.interval
    return found
