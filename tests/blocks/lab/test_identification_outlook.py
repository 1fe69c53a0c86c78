"""What to measure next: what is promised of a manoeuvre is what it brings."""

import numpy as np
import pytest

from blocks import simulate
from blocks.dynamics import Vessel3DOF
from blocks.lab.identification import (
    Candidate,
    IdentificationError,
    Identified,
    Log,
    identify,
    usual_candidates,
    what_next,
)

UNITS = {"X": "N", "N": "N*m", "u": "m/s", "r": "rad/s"}
NOISE = {"u": 0.01, "r": 0.01}


def measured(seed: int, name: str, time: np.ndarray, X: np.ndarray, N: np.ndarray) -> Log:
    force = np.zeros((len(time), 6))
    force[:, 0], force[:, 5] = X, N
    inputs = {"force": (time, force, "hold"), "current": np.zeros(3), "disturbance": np.zeros(6)}
    run = simulate(Vessel3DOF.from_vehicle("otter"), time[-1], step=0.1, every=2, inputs=inputs)
    random = np.random.default_rng(seed)
    outputs = {key: run.values(f"vessel_3dof.nu[{key}]") + sigma * random.normal(size=len(time))
               for key, sigma in NOISE.items()}  # fmt: skip
    return Log.of({"t": time, "X": X, "N": N, **outputs}, UNITS, name=name, interpolation={"X": "hold", "N": "hold"})


def fit(logs: list[Log], **options: object) -> Identified:
    parameters = ["linear_damping[N,r]", "added_mass[N,r]", "added_mass[X,u]"]
    return identify(
        Vessel3DOF.from_vehicle("otter"), logs, inputs={"force[X]": "X", "force[N]": "N"},
        outputs={"nu[u]": "u", "nu[r]": "r"}, **{"parameters": dict.fromkeys(parameters), **options},
    )  # fmt: skip


TIME = np.arange(0.0, 40.1, 0.2)
STEADY = measured(0, "steady turn", TIME, 0.0 * TIME + 100.0, 0.0 * TIME + 15.0)


def test_a_manoeuvre_brings_what_was_promised() -> None:
    """Half an interval after it, of a fit with the manoeuvre measured: noise is estimated anew, hence 20 %."""
    found = fit([STEADY])
    outlook = what_next(found)
    names = [one.name for one in outlook.prospects]
    assert {"push and coast with X", "turning circle with N", "zigzag of 20° with N", "steps of N"} <= set(names)
    for name, (low, high) in found.intervals.items():
        assert outlook.halves[name] == pytest.approx(0.5 * (high - low), rel=0.02)
    for candidate in usual_candidates(found):
        if candidate.name not in ("zigzag of 20° with N", "push and coast with X"):
            continue
        also = measured(1, "also", candidate.time, candidate.columns["X"], candidate.columns["N"])
        then = fit([STEADY, also])
        promised = next(one for one in outlook.prospects if one.name == candidate.name).halves
        for name, (low, high) in then.intervals.items():
            assert promised[name] == pytest.approx(0.5 * (high - low), rel=0.2)
    (said,) = [one for one in outlook.sentences() if "added_mass[N,r]" in one]
    assert said.startswith("zigzag of 10° with N at 1.3 m/s narrows added_mass[N,r] from ±")
    assert str(outlook).splitlines()[0].split() == ["now", *map(str, range(1, len(names) + 1))]


def test_what_nothing_is_known_of_is_known_by_a_push() -> None:
    """Where nothing accelerates, added mass does not show."""
    still = measured(0, "drift", TIME, 0.0 * TIME, 0.0 * TIME)
    found = fit([still], parameters={"added_mass[X,u]": None})
    push = Candidate("push", TIME, {"X": 100.0 * (TIME > 10.0), "N": 0.0 * TIME})
    rest = Candidate("rest", TIME, {"X": 0.0 * TIME, "N": 0.0 * TIME})
    outlook = what_next(found, [rest, push])
    assert [one.name for one in outlook.prospects] == ["push", "rest"]
    (said,) = outlook.sentences()
    assert said.startswith("push at 0.94 m/s narrows added_mass[X,u] from ±")
    assert outlook.data()["manoeuvres"][0]["halves"]["added_mass[X,u]"] < 3.0
    with pytest.raises(IdentificationError, match="push: the column 'N', which drives the model, is missing"):
        what_next(found, [Candidate("push", TIME, {"X": 0.0 * TIME})])
    for duration, said in ((1.0, "1 s is too short for samples every 0.2 s"), (1e9, "has more than 1,000,000 samples")):
        with pytest.raises(IdentificationError, match=said):
            usual_candidates(found, duration=duration)
    with pytest.raises(IdentificationError, match="no input of the model is driven by 'x'; did you mean 'X'"):
        what_next(found, drive="x")
