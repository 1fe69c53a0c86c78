"""Environment steps per second, what share of the time is the engine's, and the steps of PythonVehicleSimulator.

The environment is `keelblocks/OtterPathFollowing-v0`: the Otter in three degrees of freedom, what line of sight sees as
observation, ten steps of RK4 between two actions, and an episode that is followed by the next. PythonVehicleSimulator
(Fossen) takes one step of Euler's method of its Otter, in six degrees of freedom, as its main loop does. It is not on
PyPI: `pip install git+https://github.com/cybergalactic/PythonVehicleSimulator`, or a clone of it on PYTHONPATH.
"""

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.report import arguments, show, spread
from blocks.live.learning import ScenarioEnv, ScenarioVectorEnv
from blocks.live.learning.registration import task_file
from blocks.run.pieces import usable_cores

COUNTS = (64, 256, 1024)
SECONDS = 1.0
"""Of wall time that each measurement takes, about."""
ROUNDS = 5
STEP = 0.05
"""Of both, s."""


class Timed:
    """The time that the calls of a function take."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.seconds = function, 0.0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return self.function(*arguments, **options)
        finally:
            self.seconds += time.perf_counter() - began


def vector(env: ScenarioVectorEnv, seconds: float) -> tuple[float, float]:
    """Environment steps per second, and what share of the time the engine takes."""
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(16)]
    engine = Timed(type(env.fleet).advance.__get__(env.fleet))
    env.fleet.advance = engine  # type: ignore[method-assign]
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        env.step(actions[steps % len(actions)])
        steps += 1
    spent = time.perf_counter() - began
    return steps * env.num_envs / spent, engine.seconds / spent


def single(env: ScenarioEnv, seconds: float) -> float:
    """Environment steps per second of one vehicle."""
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(16)]
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        _, _, terminated, truncated, _ = env.step(actions[steps % len(actions)])
        steps += 1
        if terminated or truncated:
            env.reset()
    return steps / (time.perf_counter() - began)


def peer() -> Callable[[float], float] | None:
    """Steps per second of PythonVehicleSimulator's Otter, measured for so many seconds; None where it is not
    installed."""
    try:
        vehicle = importlib.import_module("python_vehicle_simulator.vehicles.otter").otter()
        try:
            attitude = importlib.import_module("python_vehicle_simulator.lib.gnc").attitudeEuler
        except ImportError:  # where older versions have it
            attitude = importlib.import_module("python_vehicle_simulator.gnc").attitudeEuler
    except ImportError:
        return None

    def run(seconds: float) -> float:
        eta, nu, actual = np.zeros(6), np.zeros(6), np.zeros(2)
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            for _ in range(100):
                nu, actual = vehicle.dynamics(eta, nu, actual, np.array([60.0, 55.0]), STEP)
                eta = attitude(eta, nu, STEP)
            steps += 100
        return steps / (time.perf_counter() - began)

    return run


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Everything, by turns."""
    file = task_file("OtterPathFollowing")
    cores = usable_cores()
    threads = dict.fromkeys((1, cores))
    one = ScenarioEnv(file)
    one.reset(seed=1)
    many = {(n, k): ScenarioVectorEnv(file, num_envs=n, threads=k) for n in COUNTS for k in threads}
    for env in many.values():
        env.reset(seed=1)
    other = peer()
    rates: dict[Any, list[float]] = {}
    shares: dict[Any, list[float]] = {}
    for _ in range(rounds):
        rates.setdefault("one", []).append(single(one, SECONDS))
        for key, env in many.items():
            rate, share = vector(env, SECONDS)
            rates.setdefault(key, []).append(rate)
            shares.setdefault(key, []).append(share)
        if other is not None:
            rates.setdefault("peer", []).append(other(SECONDS))
    figures: dict[str, dict[str, Any]] = {"one vehicle": spread(rates["one"], "environment steps/s")}
    for n, k in many:
        name = f"{n} vehicles, {k} thread{'s' if k > 1 else ''}"
        figures[name] = spread(rates[n, k], "environment steps/s")
        figures[f"{name}: share of the engine"] = {
            "value": statistics.median(shares[n, k]),
            "unit": "",
            "target": "≥ 0.7",
        }
    if other is None:
        figures["PythonVehicleSimulator"] = {"value": float("nan"), "unit": "(not installed, see --help)"}
    else:
        figures["PythonVehicleSimulator, one step of Euler each"] = spread(rates["peer"], "steps/s")
        ratios = [a / b for a, b in zip(rates[COUNTS[-1], 1], rates["peer"], strict=True)]
        figures[f"{COUNTS[-1]} vehicles on one thread, environment steps over its steps"] = spread(ratios, "")
    return figures


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show("Otter, 3 DOF, ten steps of RK4 per environment step", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
