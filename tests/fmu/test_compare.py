"""FMUs beside the run in this process: equal for the whole diagram, and nearer with shorter steps for its parts."""

from __future__ import annotations

import pytest

from blocks.errors import SimulationError
from fmu.compare import compare_parts, compare_whole, run_in_process


@pytest.fixture(scope="module")
def reference(models):
    return run_in_process(models.guided_vessel(), 20.0, models.step)


@pytest.fixture(scope="module")
def parts(exported):
    return {name: exported(name) for name in ("plant", "autopilot")}


def test_the_whole_diagram_is_equal(models, exported, reference):
    differences = compare_whole(exported("guided_vessel"), reference, models.step)
    assert [(d.name, d.unit) for d in differences] == [
        ("eta", "m"), ("eta", "rad"), ("nu", "m/s"), ("nu", "rad/s"), ("force", "N"), ("force", "N*m"), ("error", "m"),
    ]  # fmt: skip
    assert all(d.relative <= 1e-12 for d in differences)


@pytest.mark.parametrize("scheme", ["jacobi", "gauss-seidel"])
def test_the_coupling_error_is_of_first_order(models, parts, reference, scheme):
    coarse, fine, finest = (
        {(d.name, d.unit): d.largest for d in compare_parts(models.guided_vessel(), parts, reference, h, scheme)}
        for h in (0.04, 0.02, 0.01)  # the last is finer than the run's grid
    )
    for quantity in (("eta", "m"), ("eta", "rad"), ("error", "m")):
        assert fine[quantity] < 0.05
        assert coarse[quantity] / fine[quantity] == pytest.approx(2.0, rel=0.25)
        assert fine[quantity] / finest[quantity] == pytest.approx(2.0, rel=0.25)


def test_every_component_needs_its_fmu(models, parts, reference):
    with pytest.raises(SimulationError, match="there is no FMU of autopilot; one of each component is needed"):
        compare_parts(models.guided_vessel(), {"plant": parts["plant"]}, reference, 0.1)
