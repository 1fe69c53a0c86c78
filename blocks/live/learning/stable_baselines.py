"""`ScenarioVectorEnv` as Stable-Baselines3 takes environments: its own kind of `VecEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from blocks.errors import SimulationError
from blocks.live.learning.vector_environment import ScenarioVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise SimulationError("this needs Stable-Baselines3: pip install 'keelblocks[train]'") from None


class StableBaselinesVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """A vector environment for the algorithms of Stable-Baselines3. It has to begin anew in the same step.

    model = PPO("MlpPolicy", StableBaselinesVecEnv(gymnasium.make_vec(
        "keelblocks/OtterPathFollowing-v0", num_envs=64, autoreset_mode="SameStep")))
    """

    def __init__(self, env: ScenarioVectorEnv) -> None:
        if env.metadata.get("autoreset_mode") is not AutoresetMode.SAME_STEP:
            raise SimulationError('Stable-Baselines3 wants autoreset_mode="SameStep"')
        self.env = env
        self._actions: Any = None
        self._returns, self._lengths = np.zeros(env.num_envs), np.zeros(env.num_envs, dtype=np.int64)
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> Any:
        """Begin an episode of all."""
        numbers = [each for each in self._seeds if each is not None]
        seen, _ = self.env.reset(seed=numbers if len(numbers) == self.num_envs else None)
        self._reset_seeds()
        self._returns[...], self._lengths[...] = 0.0, 0
        return seen

    def step_async(self, actions: Any) -> None:
        """Keep the actions until `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Act, and say how episodes ended."""
        seen, rewards, terminated, truncated, told = self.env.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            infos[i] = {
                "terminal_observation": told["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i]),
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": 0.0},
                "ended_by": told["final_info"]["ended_by"][i],
            }
        self._returns[ended], self._lengths[ended] = 0.0, 0
        return seen, rewards, ended, infos

    def close(self) -> None:
        """Let blocks give back what they hold."""
        self.env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, which all have in common."""
        return [getattr(self.env, attr_name, None) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible: vehicles have no attributes of their own."""
        raise SimulationError("the vehicles of a vector environment have no attributes of their own to set")

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> list[Any]:
        """A method of the whole, called once."""
        found = getattr(self.env, method_name)(*arguments, **options)
        return [found for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Sequence[int] | int | None = None) -> list[bool]:
        """Never: nothing stands between."""
        return [False for _ in self._get_indices(indices)]
