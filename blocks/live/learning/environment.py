"""A scenario as an environment of Gymnasium: one vehicle, over a `Simulator`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError, shown
from blocks.live.learning.commands import Commands
from blocks.live.learning.draws import Draws
from blocks.live.learning.options import chosen
from blocks.live.learning.setup import Setup, Source
from blocks.live.learning.task import Task
from blocks.run.engine_run import RunInterrupted, RunStopped
from blocks.simulator import Simulator

Observation = NDArray[np.float32]
Action = NDArray[np.float32]


class ScenarioEnv(gymnasium.Env[Observation, Action]):
    """A scenario, or a diagram, that a learner acts in.

    scenario: a `Scenario`, the path of its file, or a `Diagram`.
    environment: what is seen, done and rewarded, as under `environment:` in a scenario; None: what the scenario says.
    render_mode: "rgb_array" or "human": `render` draws the episode so far as a figure.
    reference: the scenario's own controllers act, and actions are not looked at: what a policy has to beat.
    settings: instead of those of the scenario: solver, step, tolerances, inputs.

    The action is a Box of -1 … 1, the observation a Box of what is declared. `reset(seed=…)` draws what is declared
    under `randomise` and a seed for each block that has one; equal seeds give equal bits, here and in
    `ScenarioVectorEnv`.
    `info` has the terms of the reward, and at the end of an episode by what it ended and its metrics.

    Raises ScenarioError, WiringError, ParameterError or SimulationError for what does not fit.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"]}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        scenario: Source,
        environment: Mapping[str, Any] | None = None,
        *,
        render_mode: str | None = None,
        reference: bool = False,
        **settings: Any,
    ) -> None:
        self.setup = Setup(scenario, environment, reference, settings)
        self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / self.setup.interval))}
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SimulationError(
                f"render_mode is one of {', '.join(self.metadata['render_modes'])}, not {render_mode!r}"
            )
        self.render_mode = render_mode
        self.simulator = Simulator(
            self.setup.diagram,
            inputs=self.setup.inputs,
            record=None if render_mode else [],
            outputs=self.setup.outputs,
            **self.setup.settings,
        )
        plan = self.simulator.plan
        self.commands = Commands(self.setup, plan, self._view, 1)
        self.task = Task(self.setup.declaration, plan, self.setup.aliases, self._view, 1, self.setup.interval)
        self.draws = Draws(self.setup.declaration, plan, self.setup.diagram)
        self.observation_space = gymnasium.spaces.Box(*self.task.bounds, dtype=np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self.commands.names),), np.float32)
        self.history: list[tuple[Action, float]] = []
        """Actions and rewards of the episode, where it is rendered."""
        self.seen: list[Observation] = []
        """What was seen, one more."""
        self.drawn: dict[str, Any] = {}
        """Parameters of the episode that were drawn."""
        self._open = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. `info["parameters"]` says what was drawn; options={"parameters": {…}} sets some instead."""
        given = chosen(options, "parameters").get("parameters", {})
        if not isinstance(given, Mapping):
            raise SimulationError(f'options={{"parameters": …}} wants values by name, not {shown(given)}')
        super().reset(seed=seed)
        drawn = {name: rows[0] for name, rows in self.draws.rows([self.np_random]).items()}
        drawn |= given
        self.commands.rest()
        self.simulator.reset(parameters=drawn)
        self.task.begin(_ONE)
        (seen,) = self.task.observation()
        self.history, self.seen, self.drawn, self._open = [], [seen], drawn, True
        return seen, {"parameters": drawn}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act for one interval: what is seen then, the reward, whether the episode ended or was cut off, and `info`."""
        if not self._open:
            raise SimulationError("the episode has ended, or none has begun: reset() begins one")
        self.commands.give(action)
        message = ""
        try:
            self.simulator.advance(self.setup.interval)
        except RunInterrupted:
            self._open = False  # it stands within an interval
            raise
        except RunStopped as problem:
            message = str(problem)
        rewards, terminated, truncated = self.task.step(np.array([bool(message)]), ~_ONE)
        told: dict[str, Any] = {"reward_terms": {name: float(term[0]) for name, term in self.task.terms.items()}}
        self._open = not (terminated[0] or truncated[0])
        if not self._open:
            told |= self.task.ending(0)
        if message:
            told["failure"] = message
        (seen,) = self.task.observation()
        if self.render_mode is not None:
            self.history.append((np.array(action, dtype=np.float32), float(rewards[0])))
            self.seen.append(seen)
        if self.render_mode == "human":
            self.render()
        return seen, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), told

    def render(self) -> Any:
        """The episode so far as a figure: an array height × width × 3 of uint8, or shown in a window."""
        from blocks.live.learning import rendering  # matplotlib takes a moment to import

        if self.render_mode is None:
            raise SimulationError('to see an episode, make the environment with render_mode="rgb_array" or "human"')
        if not self.seen:
            raise SimulationError("nothing to show yet: reset() begins an episode")
        diagram = self.setup.diagram.copy()
        for name, value in self.drawn.items():
            owner, _, parameter = name.rpartition(".")
            diagram.blocks()[owner].set(**{parameter: value})
        image = rendering.pixels(
            rendering.Episode(
                title=self.setup.title or self.setup.name,
                diagram=diagram,
                report=self.setup.report,
                result=self.simulator.result(),
                interval=self.setup.interval,
                seen=self.seen,
                seen_names=self.task.names,
                actions=[action for action, _ in self.history],
                action_names=[] if self.setup.reference else self.commands.names,
                rewards=[reward for _, reward in self.history],
            )
        )
        return image if self.render_mode == "rgb_array" else rendering.show(image, self.setup.name)

    def close(self) -> None:
        """Let blocks give back what they hold."""
        self.simulator.close()

    def _view(self, name: str) -> NDArray[np.float64]:
        return self.simulator[name].reshape(1, -1)


_ONE = np.ones(1, dtype=np.bool_)
