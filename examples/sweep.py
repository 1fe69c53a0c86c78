"""Many runs of one scenario, in threads: how much the current costs a vehicle on a path.

The engine lets other threads work while it runs, so this uses all cores. Each thread has a scenario of its own.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from blocks.scenario import Scenario

SCENARIO = Path(__file__).with_name("minerva_survey.yaml")


def mission(current: float) -> tuple[float, float]:
    """When the vehicle arrives, s, and the energy that its thrusters take, J, in a current of so many m/s."""
    scenario = Scenario.load(SCENARIO)
    scenario.set("plant.current.speed", current)
    result = scenario.run(record=["energy"])
    return float(result.time[-1]), float(result.values("energy")[-1])


currents = [0.0, 0.1, 0.2, 0.3]
with ThreadPoolExecutor() as threads:
    for current, (arrival, energy) in zip(currents, threads.map(mission, currents), strict=True):
        print(f"current {current:4.2f} m/s: arrived after {arrival:5.1f} s, {energy / 3600:4.1f} W h")
