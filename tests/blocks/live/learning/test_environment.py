"""One vehicle as an environment of Gymnasium: judged by Gymnasium's own check, and by runs without it."""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from click.testing import CliRunner
from gymnasium.utils.env_checker import check_env
from learners_boat import boat, declared

from blocks import RunInterrupted, Simulator, simulate
from blocks.cli.commands import cli
from blocks.errors import KeelblocksError, SimulationError
from blocks.live import learning
from blocks.live.learning import ScenarioEnv
from blocks.live.learning.registration import TASKS, task_file
from blocks.scenario import Scenario

SETTINGS = {"step": 0.05}


def episode(env: ScenarioEnv, seed: int, actions: Any = None) -> tuple[Any, ...]:
    """All that an episode gives: observations, rewards, and the last info."""
    seen, _ = env.reset(seed=seed)
    observations, rewards, told = [seen], [], {}
    if actions is None:
        env.action_space.seed(seed)
    for k in range(1000):
        action = env.action_space.sample() if actions is None else actions[k]
        seen, reward, terminated, truncated, told = env.step(action)
        observations.append(seen)
        rewards.append(reward)
        if terminated or truncated:
            break
    return np.array(observations), np.array(rewards), told


@pytest.mark.parametrize("name", TASKS)
def test_gymnasium_finds_nothing(name: str) -> None:
    env = gymnasium.make(f"blocks.live.learning:keelblocks/{name}-v0").unwrapped
    check_env(env, skip_render_check=True)  # warnings are errors here


@pytest.mark.parametrize("name", TASKS)
def test_the_own_controllers_do_the_task(name: str) -> None:
    ends = {"TitoNeriDocking": "docked"}
    env = ScenarioEnv(task_file(name), reference=True)
    _, _, told = episode(env, 1, np.zeros((1000, *env.action_space.shape)))
    assert told["ended_by"] == ends.get(name, "time limit")


def test_an_episode_is_the_run_with_its_actions_as_inputs() -> None:
    """To the bit: `simulate` gets what was commanded, held from action to action, and what was drawn."""
    env = ScenarioEnv(boat(), declared(), **SETTINGS)
    _, drawn = env.reset(seed=4)
    env.action_space.seed(4)
    actions = np.array([env.action_space.sample() for _ in range(20)])
    poses = [env.simulator["vessel.eta"].copy()]
    rewards = []
    for action in actions:
        rewards.append(env.step(action)[1])
        poses.append(env.simulator["vessel.eta"].copy())

    made = env.setup.diagram.copy()
    for name, value in drawn["parameters"].items():
        owner, _, parameter = name.partition(".")
        made[owner].set(**{parameter: value})
    times = 0.5 * np.arange(20)
    force, moment = 50.0 + 150.0 * actions[:, 0].astype(float), 40.0 * actions[:, 1].astype(float)
    inputs = {"wrench_X": (times, force, "hold"), "wrench_N": (times, moment, "hold")}
    run = simulate(made, 10.0, inputs=inputs, record="vessel.eta", every=10, **SETTINGS)
    assert run.values("vessel.eta").tobytes() == np.array(poses).tobytes()
    expected = np.diff(run.values("vessel.eta[x]")) - 1e-4 * force**2
    way = np.sum(np.linalg.norm(np.diff(np.array(poses)[:, :3], axis=0), axis=1))
    expected[-1] += 0.1 * way
    np.testing.assert_allclose(rewards, expected, rtol=1e-12)


def test_observations_are_scaled_and_held_within_their_ranges() -> None:
    env = ScenarioEnv(boat(), declared(observation={"vessel.nu[u]": ["-2 m/s", "4 kn"], "x": {"of": "vessel.eta[x]"}}))
    env.reset(seed=1, options={"parameters": {"vessel.initial_nu": [0.3, 0, 0, 0, 0, 0]}})
    low, high = -2.0, 4.0 * 1852.0 / 3600.0
    assert env.task.observation()[0] == pytest.approx([2.0 * (0.3 - low) / (high - low) - 1.0, 0.0])
    env.reset(options={"parameters": {"vessel.initial_nu": [9.0, 0, 0, 0, 0, 0]}})
    assert env.task.observation()[0, 0] == 1.0
    assert env.observation_space.high.tolist() == [1.0, np.inf]


def test_equal_seeds_have_equal_bits_and_others_differ() -> None:
    one, other = (ScenarioEnv(task_file("BlueROV2StationKeeping")) for _ in range(2))
    for first, second in zip(episode(one, 3)[:2], episode(other, 3)[:2], strict=True):
        assert first.tobytes() == second.tobytes()
    one.reset(seed=3)
    parameters = one.reset()[1]["parameters"]
    again = other.reset(seed=3)[1]["parameters"]
    assert parameters["sea.seed"] != again["sea.seed"]
    assert parameters["current.speed"] != again["current.speed"]


def test_draws_follow_their_distributions() -> None:
    env = ScenarioEnv(boat(), declared(), **SETTINGS)
    env.reset(seed=0)
    rows = env.draws.rows([np.random.default_rng(i) for i in range(4000)])
    psi, speed = rows["vessel.initial_eta"][:, 5], rows["current.speed"]
    assert np.all(np.abs(psi) <= np.radians(20.0))
    assert np.std(psi) == pytest.approx(np.radians(20.0) / np.sqrt(3.0), rel=0.05)
    assert [speed.mean(), speed.std()] == pytest.approx([0.2, 0.01], rel=0.05)
    drag, counts = np.unique(rows["vessel.linear_damping"][:, 0], return_counts=True)
    assert drag.tolist() == [50.0, 60.0]
    assert counts == pytest.approx([2000, 2000], abs=150)
    assert not rows["vessel.initial_eta"][:, :5].any()


def test_terminations_failures_and_the_time_limit() -> None:
    env = ScenarioEnv(boat(), declared(), **SETTINGS)
    _, rewards, told = episode(env, 1, np.tile([0.0, 1.0], (20, 1)))
    assert told["ended_by"] == "turned"
    assert told["reward_terms"]["ending"] == pytest.approx(-5.0 + 0.1 * told["metrics"]["way"])
    assert episode(env, 1, np.zeros((20, 2)))[2]["ended_by"] == "time limit"
    with pytest.raises(SimulationError, match=r"the episode has ended, or none has begun: reset\(\) begins one"):
        env.step(np.zeros(2))

    wild = declared(failure=-7, action={"wrench.X": [-1e160, 1e160]}, reward={"none": 0}, final={}, metrics={})
    env = ScenarioEnv(boat(), wild, solver="euler", step=0.5)
    _, rewards, told = episode(env, 1, np.ones((20, 1)))
    assert (told["ended_by"], rewards[-1]) == ("failure", -7.0)
    assert "t =" in told["failure"]
    assert np.isfinite(env.reset()[0]).all()  # and it goes on


def test_a_picture_of_an_episode() -> None:
    env = gymnasium.make("keelblocks/OtterPathFollowing-v0", render_mode="rgb_array").unwrapped
    with pytest.raises(SimulationError, match="nothing to show yet"):
        env.render()
    env.reset(seed=2)
    first = env.render()
    for _ in range(20):
        env.step(np.array([0.5, 0.5]))
    last = env.render()
    assert first.shape == last.shape == (540, 960, 3)
    assert first.dtype == np.uint8
    assert np.any(first != last)
    with pytest.raises(SimulationError, match="make the environment with render_mode"):
        ScenarioEnv(boat(), declared()).render()


def test_a_scenario_keeps_what_it_says_of_its_environment() -> None:
    scenario = Scenario.load(task_file("TitoNeriDocking"))
    again = Scenario.from_text(scenario.to_yaml(), "again.yaml")
    assert again == scenario
    assert again.environment["derived"]["heading"] == "abs(wrap(vessel.eta[psi]))"


BAD = [
    (
        {"observation": {"vessel.nu[w_dot]": [-1, 1]}},
        r"vessel.nu\[w_dot\]: vessel.nu has no element 'w_dot'",
    ),
    ({"observation": {"vessel.mu": [-1, 1]}}, "no signal 'vessel.mu'; did you mean 'vessel.nu'"),
    ({"observation": {"vessel.nu[u]": ["1 m", 2]}}, "observation.vessel.nu.u.: .*1 m.*m/s"),
    ({"observation": {"vessel.nu[u]": [2, 1]}}, "the range must be finite and end above its beginning, not \\[2"),
    ({"action": {"wrench.Z1": [0, 1]}}, "'Z1'"),
    ({"action": {"wrnch.X": [0, 1]}}, "no port 'wrnch.X' to command; did you mean 'wrench.X'"),
    ({"reward": {"a": "vessel.nu"}}, "reward.a: 'vessel.nu' gives 6 numbers, and one is needed"),
    ({"reward": {"a": "norm(vessel.nu[0:2] + vessel.nu[0:3])"}}, "widths do not go together"),
    ({"reward": {"a": "abz(vessel.nu[u])"}}, "did you mean 'abs'"),
    ({"final": {"a": "waay"}}, "final.a: no signal 'waay'; did you mean 'way'"),
    ({"derived": {"time": "1"}}, "'time' is the name of something else"),
    ({"metrics": {"way": "path_lenght(vessel.eta)"}}, "there is no 'path_lenght'; did you mean 'path_length'"),
    ({"metrics": {"way": "path_length(vessel.etta)"}}, "no signal 'vessel.etta'"),
    ({"interval": "0.52 s"}, "interval: 0.52 s must be a whole number of steps of 0.05 s"),
    ({"episode": "0.7 s"}, "episode: 0.7 s must be a whole number of intervals of 0.5 s"),
    ({"interval": "-1 s"}, "it must be > 0 s"),
    (
        {"randomise": {"vessel.lin_damping": {"uniform": [1, 2]}}},
        "'vessel.lin_damping'; did you mean 'vessel.linear_damping'",
    ),
    ({"randomise": {"vessel.initial_eta": {"uniform": [1, 2]}}}, "vessel.initial_eta has 6 numbers; name one"),
    ({"randomise": {"vessel.initial_eta[psy]": {"uniform": [1, 2]}}}, "no element 'psy'; did you mean 'psi'"),
    ({"randomise": {"wanted.value": {"uniform": [2, 1]}}}, "must end above its beginning"),
    ({"randomise": {"vessel.inertia[0]": {"uniform": [-1, 1]}}}, r"randomise.vessel.inertia\[0\]: .*must be > 0"),
    ({"randomise": {"speed.derivative": {"choice": [1, 2]}}}, "randomise.speed.derivative: "),
    (
        {"randomise": {"wanted.value": {"choice": [[1, 2]]}}},
        r"wanted.value: a number is wanted, not \[1, 2",
    ),
    ({"action": {"wrench.force": [0, 1]}}, "'wrench.force' is an output, and actions go to inputs; those of 'wrench'"),
    ({"randomise": {"wanted.value": {}}}, "one of uniform, log_uniform, normal, choice is wanted"),
    ({"reward": {}}, "reward: it is empty"),
    ({"rewards": {}}, "unknown key 'rewards' in environment; did you mean 'reward'"),
    ({"reward": {"ending": "1"}}, "reward.ending: 'ending' is the name of something else"),
    ({"termination": {"failure": "1"}}, "termination.failure: 'failure' is the name of something else"),
    ({"metrics": {"pi": "path_length(vessel.eta)"}}, "metrics.pi: 'pi' is the name of something else"),
    ({"failure": np.nan}, "failure: .*finite number"),
    ({"episode": 1e13}, "of 1 episodes of 20000000000000 actions"),
    (
        {"action": {"wrench.X": [0, 1], "wrench.X[0]": [0, 1]}},
        "wrench.X.*: it has elements that another action commands",
    ),
    (
        {"randomise": {"a": {"of": ["wanted.value"], "uniform": [0, 1]}, "wanted.value": {"uniform": [0, 1]}}},
        "randomise.wanted.value: 'a' draws wanted.value, too; name each once",
    ),
    (
        {"randomise": {"vessel.inertia[0]": {"normal": [100, 20]}}},
        r"randomise.vessel.inertia\[0\]: .*must be > 0, not -2.*; one draw in a billion is that far from the mean",
    ),
]


@pytest.mark.parametrize(("changes", "message"), BAD)
def test_messages(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(KeelblocksError, match=message):
        ScenarioEnv(boat(), declared(**changes), **SETTINGS)


def test_messages_have_the_line_where_there_is_one(tmp_path: Any) -> None:
    text = task_file("SmartySpeed").read_text(encoding="utf-8")
    file = tmp_path / "smarty.yaml"
    file.write_text(text.replace("way: change(vessel.eta[x])", "way: change(vessel.eta[k])"), encoding="utf-8")
    line = next(i for i, each in enumerate(file.read_text().splitlines(), 1) if "change(vessel.eta[k])" in each)
    with pytest.raises(KeelblocksError, match=rf"smarty.yaml:{line}: reward.way: vessel.eta has no element 'k'"):
        ScenarioEnv(file)
    ran = CliRunner().invoke(cli, ["check", str(file)])
    assert (ran.exit_code, ran.stderr.count("smarty.yaml")) == (2, 1)
    assert f"smarty.yaml:{line}: reward.way" in "".join(ran.stderr.split("\n"))
    file.write_text(text.replace("way: change(vessel.eta[x])", "way: chnge(vessel.eta[x])"), encoding="utf-8")
    with pytest.raises(KeelblocksError, match=rf"smarty.yaml:{line}: .*did you mean 'change'"):
        Scenario.load(file)


def test_without_gymnasium_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SimulationError, match=r"pip install 'keelblocks\[gym\]'"):
        learning.ScenarioEnv  # noqa: B018


def test_without_stable_baselines_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "blocks.live.learning.stable_baselines", raising=False)
    with pytest.raises(SimulationError, match=r"pip install 'keelblocks\[train\]'"):
        learning.StableBaselinesVecEnv  # noqa: B018


def test_what_else_is_refused() -> None:
    with pytest.raises(KeelblocksError, match="there is no 'environment' in it: say what a learner sees"):
        ScenarioEnv(boat())
    with pytest.raises(KeelblocksError, match="no setting 'stepp'; did you mean 'step'"):
        ScenarioEnv(boat(), declared(), stepp=0.1)
    with pytest.raises(KeelblocksError, match="render_mode is one of rgb_array, human, not 'ansi'"):
        ScenarioEnv(boat(), declared(), render_mode="ansi")
    env = ScenarioEnv(boat(), declared(reward={"way": "change(vessel.eta[x])", "odd": "1 / (vessel.eta[psi] * 0)"}))
    env.reset(seed=1)
    with pytest.raises(SimulationError, match=r"the reward is not finite at 0.5 s: way .*, odd .*inf"):
        env.step([0.0, 0.0])
    env = ScenarioEnv(boat(), declared())
    env.reset()
    with pytest.raises(SimulationError, match=r"an action is 2 finite numbers \(wrench.X, wrench.N\), not"):
        env.step([0.0, np.nan])
    for action in ("ab", None, [[0.0, 0.0], [0.0]], {"X": 1}, np.array([1j, 0]), np.zeros((2, 2))):
        with pytest.raises(SimulationError, match=r"an action is 2 finite numbers"):
            env.step(action)
    with pytest.raises(SimulationError, match="reset has no option 'parameter'; did you mean 'parameters'"):
        env.reset(options={"parameter": {}})
    for options in (3, {"parameters": 3}):
        with pytest.raises(SimulationError, match=r"not 3"):
            env.reset(options=options)  # type: ignore[arg-type]
    env = ScenarioEnv(boat(), declared(observation={"depth": {"of": "log(vessel.eta[z])"}}))
    with pytest.raises(SimulationError, match=r"the observation depth is not finite at 0 s: -inf; keep it finite"):
        env.reset()
    with pytest.raises(SimulationError, match="inputs are values by name, not 3"):
        ScenarioEnv(boat(), declared(), inputs=3)
    opened = boat()
    opened.disconnect("wrench.X")
    opened.inputs(push="wrench.X")
    with pytest.raises(KeelblocksError, match="'push' is an input of the diagram, which nothing in it commands"):
        ScenarioEnv(opened, declared(action={"push": [0, 1]}), reference=True)


def test_an_interrupted_episode_has_to_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    env = ScenarioEnv(boat(), declared(), **SETTINGS)
    env.reset(seed=1)

    def interrupted(self: Simulator, target: float) -> None:
        raise RunInterrupted("", self.result())

    with monkeypatch.context() as patch:
        patch.setattr(Simulator, "_go_on", interrupted)
        with pytest.raises(RunInterrupted):
            env.step([0.0, 0.0])
    with pytest.raises(SimulationError, match=r"the episode has ended, or none has begun: reset\(\) begins one"):
        env.step([0.0, 0.0])  # it stands within an interval
    env.reset()
    env.step([0.0, 0.0])
