"""Many vehicles as one environment: to the bit what Gymnasium's own vector environment makes of single ones."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from learners_boat import boat, declared

from blocks.errors import KeelblocksError, SimulationError
from blocks.live.learning import ScenarioEnv, ScenarioVectorEnv, evaluate
from blocks.live.learning.registration import task_file

SHORT = declared(episode="3 s", termination={"turned": {"when": "abs(vessel.eta[psi]) > 0.4", "reward": -5}})
"""Episodes of a few actions, some of which end early."""


def steps(env: Any, count: int) -> list[Any]:
    """All that a vector environment gives."""
    seen, _ = env.reset(seed=7)
    env.action_space.seed(3)
    return [(seen,), *(env.step(env.action_space.sample()) for _ in range(count))]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_bits_of_single_environments(mode: AutoresetMode, threads: int) -> None:
    ours = ScenarioVectorEnv(boat(), SHORT, num_envs=5, threads=threads, autoreset_mode=mode, step=0.05)
    single = [lambda: ScenarioEnv(boat(), SHORT, step=0.05) for _ in range(5)]
    theirs = SyncVectorEnv(single, autoreset_mode=mode)
    ended = 0
    for mine, other in zip(steps(ours, 40), steps(theirs, 40), strict=True):
        for a, b in zip(mine[:4], other[:4], strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b, dtype=np.asarray(a).dtype).tobytes()
        if len(mine) > 1 and (mine[2] | mine[3]).any():
            ended += 1
            told, expected = mine[4], other[4]
            if mode is AutoresetMode.SAME_STEP:
                for i in np.flatnonzero(told["_final_obs"]):
                    assert told["final_obs"][i].tobytes() == expected["final_obs"][i].tobytes()
                told, expected = told["final_info"], expected["final_info"]
            which = expected["_ended_by"]
            assert told["ended_by"][which].tolist() == expected["ended_by"][which].tolist()
            assert told["metrics"]["way"][which].tobytes() == expected["metrics"]["way"][which].tobytes()
    assert ended > 4


def test_waves_and_seeds_have_the_bits_of_single_environments() -> None:
    file = task_file("BlueROV2StationKeeping")
    found = [steps(ScenarioVectorEnv(file, num_envs=3, threads=k), 12) for k in (1, 3)]
    theirs = steps(SyncVectorEnv([lambda: ScenarioEnv(file)] * 3), 12)
    for one, three, single in zip(*found, theirs, strict=True):
        assert one[0].tobytes() == three[0].tobytes() == single[0].tobytes()
        assert np.asarray(one[1:2]).tobytes() == np.asarray(three[1:2]).tobytes()
        assert np.asarray(one[1:2]).tobytes() == np.asarray(single[1:2]).tobytes()


def test_inputs_over_time_are_those_of_single_environments() -> None:
    diagram = boat()
    diagram.disconnect("speed.reference")
    diagram.inputs(wanted_speed="speed.reference")
    given = {"inputs": {"wanted_speed": ([0.0, 2.0, 4.0], [0.2, 1.0, 0.1])}, "step": 0.05, "reference": True}
    one, many = ScenarioEnv(diagram, declared(), **given), ScenarioVectorEnv(diagram, declared(), num_envs=2, **given)
    one.reset(seed=4)
    many.reset(seed=3)
    speeds = [(one.step([0, 0])[0][1], many.step(np.zeros((2, 2)))[0][1, 1]) for _ in range(12)]
    assert all(a == b for a, b in speeds)
    assert np.ptp(speeds) > 0.1


def test_some_begin_anew_and_the_others_go_on() -> None:
    env = ScenarioVectorEnv(boat(), SHORT, num_envs=3, autoreset_mode="Disabled", step=0.05)
    alone = ScenarioVectorEnv(boat(), SHORT, num_envs=3, autoreset_mode="Disabled", step=0.05)
    still = np.zeros((3, 2))
    for each in (env, alone):
        each.reset(seed=1)
        each.step(still)
    mask = np.array([False, True, False])
    seen, told = env.reset(options={"reset_mask": mask})
    assert told["_parameters"].tolist() == mask.tolist()
    assert seen[1, 1] != seen[0, 1]  # at rest again
    after, expected = env.step(still)[0], alone.step(still)[0]
    assert after[~mask].tobytes() == expected[~mask].tobytes()
    for _ in range(4):
        ended = env.step(still)[3]
    assert ended.tolist() == [True, False, True]
    with pytest.raises(SimulationError, match=r"the episode of vehicle 0 has ended: reset\(options="):
        env.step(still)
    with pytest.raises(SimulationError, match="reset_mask is 3 booleans, one of them true at least"):
        env.reset(options={"reset_mask": np.zeros(3, dtype=bool)})


def test_one_that_fails_ends_and_leaves_the_others_alone() -> None:
    wild = declared(action={"wrench.X": [-1e160, 1e160]}, reward={"x": "0"}, metrics={}, final={}, failure=-7)
    env = ScenarioVectorEnv(boat(), wild, num_envs=3, solver="euler", step=0.5)
    env.reset(seed=1)
    actions = np.array([[0.0], [1.0], [0.0]])
    for _ in range(8):
        seen, rewards, terminated, _, told = env.step(actions)
        if terminated.any():
            break
    assert terminated.tolist() == [False, True, False]
    assert rewards.tolist() == [0.0, -7.0, 0.0]
    assert (told["ended_by"][1], "t =" in told["failure"][1]) == ("failure", True)
    assert np.isfinite(seen).all()
    seen, rewards, terminated, _, _ = env.step(0 * actions)  # begins anew
    assert not rewards.any()
    assert not terminated.any()
    assert env.fleet.running.all()


def test_policies_and_the_own_controllers_in_the_same_episodes() -> None:
    own = evaluate(boat(), environment=declared(), episodes=4, seed=5, step=0.05)
    lazy = evaluate(boat(), lambda seen: np.zeros((4, 2)), environment=declared(), episodes=4, seed=5, step=0.05)
    assert own.ended_by == lazy.ended_by == ["time limit"] * 4
    assert own.lengths.tolist() == [10.0] * 4
    np.testing.assert_allclose(sum(own.terms.values()), own.returns, rtol=1e-12)
    assert np.all(own.metrics["way"] > 5.0)  # it is held at 1 m/s, and the other drifts
    assert str(own).startswith(f"return {own.returns.mean():.2f} ± ")
    single = ScenarioEnv(boat(), declared(), reference=True, step=0.05)
    single.reset(seed=7)
    assert sum(single.step([0.0, 0.0])[1] for _ in range(20)) == pytest.approx(own.returns[2], rel=1e-12)


def test_what_is_refused() -> None:
    for given, message in (
        ({"autoreset_mode": "Sometimes"}, 'autoreset_mode is one of "NextStep", "SameStep", "Disabled", not'),
        ({"render_mode": "human"}, "many vehicles are not rendered: make one"),
        ({"num_envs": 0}, "≥ 1"),
    ):
        with pytest.raises(KeelblocksError, match=message):
            ScenarioVectorEnv(boat(), declared(), **given)
    env = ScenarioVectorEnv(boat(), declared(), num_envs=2)
    with pytest.raises(SimulationError, match=r"no episode has begun: reset\(\) begins one"):
        env.step(np.zeros((2, 2)))
    with pytest.raises(SimulationError, match="a seed, or one for each of 2 vehicles is wanted, not 3"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=1)
    with pytest.raises(SimulationError, match="an action is 2 finite numbers"):
        env.step(np.zeros((2, 3)))
    with pytest.raises(SimulationError, match="a whole number of episodes ≥ 1 is wanted, not 0"):
        evaluate(boat(), environment=declared(), episodes=0)


def test_gymnasium_makes_many() -> None:
    env = gymnasium.make_vec(
        "blocks.live.learning:keelblocks/TitoNeriDocking-v0", num_envs=3, autoreset_mode="SameStep"
    )
    assert isinstance(env, ScenarioVectorEnv)
    assert env.observation_space.shape == (3, *env.single_observation_space.shape)
    seen, _ = env.reset(seed=2)
    assert seen in env.observation_space
    assert env.np_random_seed == (2, 3, 4)
