"""A policy that has learned to follow a path, beside line of sight with PID, on the same reward and in the same waters.

The Otter of `keelblocks/OtterPathFollowing-v0` follows a path with corners in an unknown current. The policy is a
network of two layers that sees what line of sight sees, and commands the thrusts. Writes `learn_otter.png`. With
--train it is learned anew, by PPO of Stable-Baselines3 (pip install 'keelblocks[train]'), some minutes, and written to
`otter_policy.npz`; without it the one that lies beside this file is taken, which needs nothing but NumPy.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from blocks.guidance import IntegralLineOfSight, LineOfSight
from blocks.live.learning import Episodes, ScenarioEnv, evaluate
from blocks.live.learning.registration import task_file
from blocks.scenario import Scenario
from blocks.style import ACTUAL, REFERENCE, SERIES, SETTINGS, WAYPOINT

Array = NDArray[np.float64]

HERE = Path(__file__).resolve().parent
TASK = "OtterPathFollowing"
STEPS = 400_000  # of the environment
VEHICLES = 16  # that learn at once
GAMMA = 0.97  # discount from action to action: it looks some 30 of them ahead, 17 s
NOISE = -1.0  # logarithm of the standard deviation of what is tried beside the best known action, at first
EPISODES, FIRST_SEED = 500, 1_000_000  # to compare by: seeds that were not trained with
PATH: dict[str, Any] = {
    "waypoints": [[100.0 * k, 0.0, 0.0] for k in range(5)], "acceptance_radius": 4.0, "switching": "along_track",
    "cruise_speed": 1.0, "speed_taper": False,
}  # fmt: skip
LAWS = {
    "LOS, Δ 6 m": LineOfSight(lookahead=6.0, **PATH),
    "LOS, Δ 3 m": LineOfSight(lookahead=3.0, **PATH),
    "ILOS, Δ 3 m": IntegralLineOfSight(lookahead=3.0, integral_gain=0.3, **PATH),
    "LOS, Δ 3 m, sideslip": LineOfSight(lookahead=3.0, sideslip_compensation=True, **PATH),
}
"""Laws of guidance, each with the PID controllers of the scenario; the last is that of the scenario itself."""


class Policy:
    """A network of layers with tanh between them: from what is seen, a row for each vehicle, to actions."""

    def __init__(self, weights: list[Array], biases: list[Array]) -> None:
        self.weights, self.biases = weights, biases

    def __call__(self, seen: Any) -> Array:
        """The actions, between -1 and 1."""
        values = np.asarray(seen, dtype=np.float64)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            values = np.tanh(values @ weight.T + bias)
        return np.asarray(np.clip(values @ self.weights[-1].T + self.biases[-1], -1.0, 1.0))

    def save(self, file: Path) -> None:
        """Write it."""
        layers = {f"weight_{i}": np.float32(weight) for i, weight in enumerate(self.weights)}
        np.savez_compressed(file, **layers, **{f"bias_{i}": np.float32(bias) for i, bias in enumerate(self.biases)})

    @classmethod
    def load(cls, file: Path) -> Policy:
        """Read it."""
        with np.load(file) as kept:
            count = len(kept.files) // 2
            return cls(*([np.float64(kept[f"{kind}_{i}"]) for i in range(count)] for kind in ("weight", "bias")))


def train(steps: int) -> Policy:
    """Learn by PPO of Stable-Baselines3, on one thread, so that the same machine learns the same."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecNormalize

    from blocks.live.learning import StableBaselinesVecEnv

    torch.set_num_threads(1)
    many = gymnasium.make_vec(
        f"blocks.live.learning:keelblocks/{TASK}-v0", num_envs=VEHICLES, autoreset_mode="SameStep"
    )
    model = PPO(
        "MlpPolicy",
        VecNormalize(StableBaselinesVecEnv(many), norm_obs=False, gamma=GAMMA),  # type: ignore[arg-type]
        n_steps=256,
        batch_size=512,
        n_epochs=8,
        gamma=GAMMA,
        learning_rate=lambda left: 5e-4 * left + 1e-5,
        policy_kwargs={"net_arch": [64, 64], "log_std_init": NOISE},
        seed=1,
        device="cpu",
    )
    best: list[tuple[float, Policy]] = []

    class KeepBest(BaseCallback):
        """Tries the policy now and then, in episodes of its own, and keeps the best."""

        def _on_step(self) -> bool:
            return True

        def _on_rollout_end(self) -> None:
            policy = policy_of(model)
            found = float(evaluate(task_file(TASK), policy, episodes=40, seed=FIRST_SEED // 2).returns.mean())
            if not best or found > best[0][0]:
                best[:] = [(found, policy)]

    model.learn(steps, callback=KeepBest())
    return best[0][1]


def policy_of(model: Any) -> Policy:
    """The network that a model of PPO has by now."""
    layers: list[Any] = [item for item in model.policy.mlp_extractor.policy_net if hasattr(item, "weight")]
    layers.append(model.policy.action_net)
    weights = [layer.weight.detach().numpy().astype(np.float64) for layer in layers]
    return Policy(weights, [layer.bias.detach().numpy().astype(np.float64) for layer in layers])


def with_law(law: LineOfSight | IntegralLineOfSight) -> Scenario:
    """The scenario with another law of guidance."""
    scenario = Scenario.load(task_file(TASK))
    scenario.diagram.replace("guidance", law.copy())
    return scenario


def compare(policy: Policy, episodes: int = EPISODES, threads: int | None = None) -> dict[str, Episodes]:
    """The same episodes with each law, and with the policy."""
    same: dict[str, Any] = {"episodes": episodes, "seed": FIRST_SEED, "threads": threads}
    found = {name: evaluate(with_law(law), **same) for name, law in LAWS.items()}
    return found | {"policy": evaluate(task_file(TASK), policy, **same)}


def table(found: dict[str, Episodes]) -> Table:
    """What came of it, on average."""
    lines = Table("", "return", "±", "progress", "energy", "offset", "RMS error", "lost", "better than the policy in")
    best = found["policy"].returns
    for name, episodes in found.items():
        spread = episodes.returns.std(ddof=1) / np.sqrt(len(episodes))
        terms = [f"{episodes.terms[term].mean():.1f}" for term in ("progress", "energy", "offset")]
        lost = 100.0 * episodes.ended_by.count("lost") / len(episodes)
        ahead = f"{100.0 * np.mean(episodes.returns > best):.0f} %" if name != "policy" else ""
        error = f"{episodes.metrics['rms_error'].mean():.2f} m"
        lines.add_row(name, f"{episodes.returns.mean():.2f}", f"{spread:.2f}", *terms, error, f"{lost:.0f} %", ahead)
    return lines


def track(seed: int, policy: Policy | None) -> tuple[Array, Array, Array]:
    """Waypoints, the way over ground, and speed through the water of one episode."""
    scenario = Scenario.load(task_file(TASK))
    derived = scenario.environment["derived"] | {"speed": "norm(vessel.nu_r[0:2])"}  # so that it is evaluated
    env = ScenarioEnv(scenario, {**scenario.environment, "derived": derived}, reference=policy is None)
    seen, told = env.reset(seed=seed)
    poses, speeds = [env.simulator["vessel.eta"].copy()], [0.0]
    done = False
    while not done:
        seen, _, terminated, truncated, _ = env.step(np.zeros(2) if policy is None else policy(seen))
        poses.append(env.simulator["vessel.eta"].copy())
        speeds.append(float(np.hypot(*env.simulator["vessel.nu_r"][:2])))
        done = terminated or truncated
    return told["parameters"]["path.waypoints"], np.array(poses), np.array(speeds)


def figure(found: dict[str, Episodes], policy: Policy) -> Figure:
    """Returns of all episodes, and one episode from above and over time."""
    drawn = Figure(figsize=(14.0, 7.0), layout="constrained")
    spread, way, speed = drawn.subplots(1, 3, width_ratios=(1.4, 0.7, 1.2))
    for colour, (name, episodes) in zip((*SERIES[1:5], ACTUAL), found.items(), strict=True):
        ordered = np.sort(episodes.returns)
        share = (np.arange(len(ordered)) + 0.5) / len(ordered)
        spread.plot(ordered, 100.0 * share, color=colour, label=f"{name}: {ordered.mean():.1f}")
    spread.set(title="Returns", xlabel="return of an episode", ylabel="episodes with less, %")
    spread.legend(loc="upper left")
    seed = FIRST_SEED + int(np.argsort(found["policy"].returns)[len(found["policy"]) // 4])
    for name, colour, acting in (("LOS, Δ 3 m, sideslip", REFERENCE, None), ("policy", ACTUAL, policy)):
        waypoints, poses, speeds = track(seed, acting)
        way.plot(poses[:, 1], poses[:, 0], color=colour, label=name)
        speed.plot(0.5 * np.arange(len(speeds)), speeds, color=colour, label=name)
    way.plot(waypoints[:, 1], waypoints[:, 0], "o:", color=WAYPOINT, lw=1.2, ms=5)
    way.set(title=f"Episode {seed}", xlabel="east, m", ylabel="north, m", xlim=(-50.0, 50.0))
    way.set_aspect("equal")
    speed.set(title="Speed through the water", xlabel="time, s", ylabel="m/s")
    speed.set_ylim(bottom=0.0)
    speed.legend(loc="lower right")
    return drawn


def main() -> None:
    """Learn if that is wanted, compare, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", action="store_true", help="learn a policy first, and write it to otter_policy.npz")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of the environment (default: {STEPS})")
    parser.add_argument("--episodes", type=int, default=EPISODES, help=f"to compare by (default: {EPISODES})")
    options = parser.parse_args()
    if options.train:
        policy = train(options.steps)
        policy.save(Path("otter_policy.npz"))
    else:
        policy = Policy.load(HERE / "otter_policy.npz")
    found = compare(policy, options.episodes)
    Console().print(table(found))
    with rc_context(SETTINGS):
        figure(found, policy).savefig("learn_otter.png")


if __name__ == "__main__":
    main()
