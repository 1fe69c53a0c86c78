"""Many copies of a scenario as one environment of Gymnasium: over a `Fleet`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from blocks.compiled.choice import Asked
from blocks.errors import SimulationError, shown
from blocks.live.learning.commands import Commands
from blocks.live.learning.draws import Draws
from blocks.live.learning.options import chosen
from blocks.live.learning.setup import Setup, Source
from blocks.live.learning.task import Task
from blocks.swarm.fleet import Fleet

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Observations = NDArray[np.float32]


class ScenarioVectorEnv(VectorEnv[Observations, NDArray[np.float32], Any]):
    """`num_envs` copies of a scenario that a learner acts in at once, each with its own draws.

    scenario, environment, reference and settings: as of `ScenarioEnv`.
    threads: how many work at once; None: all that the process may use. Numbers do not depend on it.
    compiled: True compiles the plan, or takes it from the cache: then vehicles go side by side, with the same numbers.
    autoreset_mode: when an episode that has ended is followed by the next: "NextStep", as Gymnasium's own vector
        environments, "SameStep", or "Disabled": reset(options={"reset_mask": …}) begins it.

    Vehicle i that was reset with seed=s has the bits of a `ScenarioEnv` that was reset with seed=s + i.
    """

    def __init__(
        self,
        scenario: Source,
        environment: Mapping[str, Any] | None = None,
        *,
        num_envs: int = 1,
        threads: int | None = None,
        compiled: Asked = False,
        reference: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
        **settings: Any,
    ) -> None:
        if render_mode is not None:
            raise SimulationError(
                'many vehicles are not rendered: make one, gymnasium.make(…, render_mode="rgb_array")'
            )
        self.setup = Setup(scenario, environment, reference, settings)
        self.num_envs = num_envs
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.render_mode = None
        self.fleet = Fleet(
            self.setup.diagram,
            num_envs,
            inputs=self.setup.inputs,
            record=[],
            outputs=self.setup.outputs,
            threads=threads,
            compiled=compiled,
            **self.setup.settings,
        )
        plan = self.fleet.plan
        self.commands = Commands(self.setup, plan, self._view, num_envs)
        self.task = Task(self.setup.declaration, plan, self.setup.aliases, self._view, num_envs, self.setup.interval)
        self.draws = Draws(self.setup.declaration, plan, self.setup.diagram)
        self.single_observation_space = gymnasium.spaces.Box(*self.task.bounds, dtype=np.float32)
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self.commands.names),), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators: list[np.random.Generator] = []
        self._seeds: list[int] = []
        self._ended = np.ones(num_envs, dtype=np.bool_)  # none has begun
        self._none = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode of all, or of those of options={"reset_mask": …}.

        seed: vehicle i gets seed + i; a list has one for each, or None for one that goes on drawing as it did. Those
            that do not begin keep theirs.

        Raises SimulationError for what does not fit.
        """
        mask = self._mask(chosen(options, "reset_mask").get("reset_mask"))
        self._seed(seed, mask)
        drawn = self._begin(mask)
        given = {name: _spread(rows, mask) for name, rows in drawn.items()}
        return self.task.observation(), {
            "parameters": given | {f"_{name}": mask for name in given},
            "_parameters": mask,
        }

    def step(self, actions: Any) -> tuple[Observations, Array, Mask, Mask, dict[str, Any]]:
        """Act for one interval with each; `info` says how episodes ended, where some did."""
        if not self._generators:
            raise SimulationError("no episode has begun: reset() begins one")
        again = self._ended
        if self.autoreset_mode is AutoresetMode.DISABLED and again.any():
            first = int(np.argmax(again))
            raise SimulationError(
                f'the episode of vehicle {first} has ended, or none has begun: reset(options={{"reset_mask": …}})'
            )
        self.commands.give(actions)
        try:
            self.fleet.advance(self.setup.interval)
        except KeyboardInterrupt:  # they stand within an interval
            self._ended = ~self._none
            raise
        rewards, terminated, truncated = self.task.step(self.fleet.failed, again)
        if again.any():  # theirs is the step that begins anew
            self._begin(again)
        ended = terminated | truncated
        self._ended = ended
        seen = self.task.observation()
        if not ended.any():
            return seen, rewards, terminated, truncated, {}
        told = self._tell(ended, seen)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._begin(ended)
            self._ended = self._none
            seen = self.task.observation()
        return seen, rewards, terminated, truncated, told

    @property
    def reward_terms(self) -> dict[str, Array]:
        """The terms of the last rewards, by name, one number for each vehicle."""
        return self.task.terms

    def close_extras(self, **kwargs: Any) -> None:
        """Let blocks give back what they hold."""
        self.fleet.close()

    def _begin(self, mask: Mask) -> dict[str, Array]:
        drawn = self.draws.rows([self._generators[i] for i in np.flatnonzero(mask)])
        self.commands.rest(mask)
        self.fleet.reset(mask, parameters=drawn)
        self.task.begin(mask)
        self._ended = self._ended & ~mask
        return drawn

    def _tell(self, ended: Mask, seen: Observations) -> dict[str, Any]:
        told: dict[str, Any] = {}
        messages = self.fleet.messages
        for i in map(int, np.flatnonzero(ended)):
            end = self.task.ending(i)
            if i in messages:
                end["failure"] = messages[i]
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                end = {"final_obs": seen[i], "final_info": end}
            told = self._add_info(told, end, i)
        return told

    def _seed(self, seed: Any, mask: Mask) -> None:
        count = self.num_envs
        if _is_seed(seed):
            seeds = [None if seed is None else int(seed) + i for i in range(count)]
        else:
            seeds = [each if each is None else int(each) for each in seed] if _are_seeds(seed) else []
        if len(seeds) != count:
            raise SimulationError(f"seed is a whole number ≥ 0, or one for each of {count} vehicles, not {shown(seed)}")
        if not self._generators:  # those that begin later need theirs, too
            made = [seeding.np_random(each) for each in seeds]
            self._generators = [generator for generator, _ in made]
            self._seeds = [number for _, number in made]
            return
        for i in map(int, np.flatnonzero(mask)):
            if seeds[i] is not None:
                self._generators[i], self._seeds[i] = seeding.np_random(seeds[i])

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each vehicle."""
        return tuple(self._seeds)

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generator of each vehicle."""
        return tuple(self._generators)

    def _mask(self, given: Any) -> Mask:
        if given is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise SimulationError(f"reset_mask is {self.num_envs} booleans, one of them true at least, not {given!r}")
        return mask

    def _view(self, name: str) -> Array:
        values = self.fleet.inputs[name] if name in self.fleet.plan.inputs else self.fleet[name]
        view: Array = values.reshape(self.num_envs, -1)
        return view


def _is_seed(given: Any) -> bool:
    return given is None or (isinstance(given, (int, np.integer)) and not isinstance(given, bool) and int(given) >= 0)


def _are_seeds(given: Any) -> bool:
    return isinstance(given, (Sequence, np.ndarray)) and all(map(_is_seed, given))


def _spread(rows: Array, mask: Mask) -> Array:
    """The rows of some vehicles among those of all."""
    found = np.zeros((len(mask), *rows.shape[1:]))
    found[mask] = rows
    return found


def _mode(given: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        modes = ", ".join(f'"{mode.value}"' for mode in AutoresetMode)
        raise SimulationError(f"autoreset_mode is one of {modes}, not {given!r}") from None
