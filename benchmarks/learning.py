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
from numpy.typing import NDArray

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
    """The time that the calls of a function take, and that of the processor for this thread."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.seconds, self.processor = function, 0.0, 0.0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        began, busy = time.perf_counter(), time.thread_time()
        try:
            return self.function(*arguments, **options)
        finally:
            self.processor += time.thread_time() - busy
            self.seconds += time.perf_counter() - began


def steer(seen: NDArray[np.float32]) -> NDArray[np.float64]:
    """Ahead along the legs, so that episodes are as long as those of who has learned it; not part of what is timed."""
    offset, across, rate = seen[:, 0], seen[:, 2], seen[:, 5]
    turn = np.clip(-1.5 * offset - 1.5 * across - 1.0 * rate, -0.4, 0.4)
    return np.column_stack([0.2 + turn, 0.2 - turn])


def vector(env: ScenarioVectorEnv, seen: Any, seconds: float) -> tuple[float, float, Any]:
    """Environment steps per second, what share of the time the engine takes, and what is seen last."""
    engine = Timed(type(env.fleet).advance.__get__(env.fleet))
    env.fleet.advance = engine  # type: ignore[method-assign]
    step = Timed(env.step)
    steps = 0
    while step.seconds < seconds:
        seen = step(steer(seen))[0]
        steps += 1
    return steps * env.num_envs / step.seconds, engine.processor / step.processor, seen


def single(env: ScenarioEnv, seconds: float) -> float:
    """Environment steps per second of one vehicle, with the resets between its episodes."""
    step, reset = Timed(env.step), Timed(env.reset)
    steps, (seen, _) = 0, reset()
    while step.seconds + reset.seconds < seconds:
        seen, _, terminated, truncated, _ = step(steer(seen[None])[0])
        steps += 1
        if terminated or truncated:
            seen, _ = reset()
    return steps / (step.seconds + reset.seconds)


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
    seen = {key: env.reset(seed=1)[0] for key, env in many.items()}
    other = peer()
    rates: dict[Any, list[float]] = {}
    shares: dict[Any, list[float]] = {}
    for _ in range(rounds):
        rates.setdefault("one", []).append(single(one, SECONDS))
        for key, env in many.items():
            rate, share, seen[key] = vector(env, seen[key], SECONDS)
            rates.setdefault(key, []).append(rate)
            shares.setdefault(key, []).append(share)
        if other is not None:
            rates.setdefault("peer", []).append(other(SECONDS))
    figures: dict[str, dict[str, Any]] = {"one vehicle": spread(rates["one"], "environment steps/s")}
    for n, k in many:
        name = f"{n} vehicles, {k} thread{'s' if k > 1 else ''}"
        figures[name] = spread(rates[n, k], "environment steps/s")
        if k == 1:  # the time of other threads would not be in it
            share = statistics.median(shares[n, k])
            figures[f"{name}: share of the engine"] = {"value": share, "unit": "", "target": "≥ 0.7"}
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
