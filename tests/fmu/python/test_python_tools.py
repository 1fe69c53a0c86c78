"""FMUs with blocks written in Python in tools that no one here wrote: what they say of the file, what they compute."""

from __future__ import annotations

import numpy as np
import pytest
from cosimulation import Job, cosimulate
from foreign_checks import complaints
from python_models import tethered, turning

import fmu
from blocks import simulate

STEP = 0.02


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Two FMUs whose classes come from one module, exported once for each version of FMI."""
    folder = tmp_path_factory.mktemp("tools")

    def get(fmi):
        paths = {}
        for name, diagram in (("tether", tethered()), ("counter", turning(gain=2.0))):
            paths[name] = folder / fmi / f"{name}.fmu"
            if not paths[name].exists():
                with pytest.warns(fmu.PythonNeeded):
                    fmu.export(diagram, paths[name], step=STEP, fmi=fmi, arrays=fmi == "2.0")
        return paths

    return get


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_nothing_is_wrong_with_the_description(exported, fmi):
    for path in exported(fmi).values():
        assert complaints(path) == []


@pytest.mark.parametrize(("tool", "fmi"), [("libcosim", "2.0"), ("ecos", "2.0"), ("ecos", "3.0")])
def test_two_fmus_coupled_in_a_co_simulation_tool(exported, tool, fmi, tmp_path):
    steps = 100
    job = Job(
        exported(fmi), STEP, steps, ["tether.stretch", "tether.count", "tether.eta[6]", "counter.turns"],
        connections=[("tether.stretch", "counter.rate")], start={"tether.thrust": 6.0},
    )  # fmt: skip
    (rows,) = cosimulate(tool, [job], tmp_path)
    assert not isinstance(rows, str), rows
    run = simulate(tethered(), steps * STEP, step=STEP, inputs={"thrust": 6.0})
    stretch = run.values("tether.stretch")
    np.testing.assert_array_equal(rows[:, 0], stretch[1:])
    np.testing.assert_array_equal(rows[:, 1], run.values("tally.count")[1:])
    np.testing.assert_array_equal(rows[:, 2], run.values("vessel.eta")[1:, 5])
    assert stretch[-1] > 0.0
    # The counter holds what the tether said at the last communication point; before the first step that depends on the
    # tool.
    held = 2.0 * STEP * np.cumsum(stretch[:-1]) / (2.0 * np.pi)
    np.testing.assert_allclose(rows[1:, 3], held[1:], rtol=1e-9, atol=1e-12)
