"""Studies: factors of every kind give what single runs give, members share plans, and failures stop nobody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from study_subjects import blow_up, doubling, lag, noise, noisy_study, response

from blocks import Diagram, simulate
from blocks.basic import Constant, FirstOrderLag, Gain, Integrator
from blocks.dynamics import MMGVessel
from blocks.errors import ParameterError
from blocks.plan.variation import Variation
from blocks.study import Factor, LatinHypercube, Metric, Normal, Study
from blocks.study.errors import StudyError
from blocks.thrust import MMGPropulsion

FINAL = {"y": "final(lag.y)"}


def test_a_grid_of_parameters_and_inputs_gives_the_analytic_solution() -> None:
    factors = {"gain.gain": [1.0, 3.0], "lag.time_constant": ["500 ms", 2.0], "u": [-1.0, 0.5, 1.0]}
    study = Study(lag(), factors, FINAL, end=3.0)
    outcome = study.run("serial")
    assert outcome.values("y").shape == (2, 2, 3)
    expected = [[[response(3.0, k, u, T) for u in (-1.0, 0.5, 1.0)] for T in (0.5, 2.0)] for k in (1.0, 3.0)]
    np.testing.assert_allclose(outcome.values("y"), expected, rtol=1e-9)
    assert len(study.cases) == 1
    np.testing.assert_array_equal(outcome.dataset["lag.time_constant"], [0.5, 2.0])
    assert outcome.dataset["lag.time_constant"].units == "s"


def test_members_are_bit_for_bit_what_single_runs_are(compiled: bool) -> None:
    """Whatever ran before on the same engine or beside it, a member that diverged included."""
    levels = [0.1, 2.0, 0.3, 5.0, 0.2]
    study = Study(blow_up(), {"x.initial_x": levels}, {"rms": "rms(x.y)", "x": "final(x.y)"}, end=1.0, step=0.05)
    outcome = study.run("serial", compiled=compiled)
    assert ("side by side" in outcome.compiled) == compiled
    assert outcome.status == ["end", "failed", "end", "failed", "end"]
    for i in (0, 2, 4):
        diagram = blow_up()
        diagram["x"].set(initial_x=levels[i])  # type: ignore[attr-defined]
        run = simulate(diagram, 1.0, step=0.05)
        assert outcome.values("x")[i] == run.values("x.y")[-1]
        assert outcome.values("rms")[i] == pytest.approx(np.sqrt(np.mean(run.values("x.y") ** 2)), rel=1e-12)


def test_a_member_that_diverges_is_kept_with_its_reason() -> None:
    outcome = Study(blow_up(), {"x.initial_x": [0.1, 2.0]}, {"x": "final(x.y)"}, end=1.0, step=0.05).run()
    assert np.isfinite(outcome.values("x")[0])
    assert np.isnan(outcome.values("x")[1])
    assert list(outcome.reasons) == [1]
    assert "is not a finite number at t = 0." in outcome.reasons[1]
    assert outcome.reasons[1].startswith("square: output y")
    assert 0.4 < outcome.end_time[1] < 0.9
    assert outcome.complete


def test_several_parameters_move_together_and_a_level_may_leave_them_as_they_are() -> None:
    gains = {"soft": {"gain.gain": 1.0, "lag.time_constant": 2.0}, "as it is": {}, "far": {"gain.gain": 5.0}}
    outcome = Study(lag(), {"gains": gains}, FINAL, end=1.0, inputs={"u": 1.0}).run("serial")
    expected = [response(1.0, 1.0, 1.0, 2.0), response(1.0), response(1.0, 5.0)]
    np.testing.assert_allclose(outcome.values("y"), expected, rtol=1e-9)
    assert list(outcome.dataset["gains"].values) == ["soft", "as it is", "far"]


def test_one_value_goes_to_several_targets() -> None:
    factor = Factor([1.0, 2.0], of=("gain.gain", "lag.time_constant"))
    outcome = Study(lag(), {"both": factor}, FINAL, end=1.0, inputs={"u": 1.0}).run("serial")
    np.testing.assert_allclose(outcome.values("y"), [response(1.0, v, 1.0, v) for v in (1.0, 2.0)], rtol=1e-9)


def test_components_are_exchanged_and_share_a_plan_with_all_that_has_them() -> None:
    fidelity = {"lag": FirstOrderLag(0.5), "integral": Integrator()}
    diagram = lag()
    study = Study(diagram, {"lag": fidelity, "gain.gain": [1.0, 2.0, 3.0]}, FINAL, end=2.0, inputs={"u": 1.0})
    assert len(study.cases) == 2
    outcome = study.run("serial")
    np.testing.assert_allclose(outcome.values("y")[1], [2.0, 4.0, 6.0], rtol=1e-12)
    np.testing.assert_allclose(outcome.values("y")[0], [response(2.0, k, 1.0, 0.5) for k in (1, 2, 3)], rtol=1e-9)
    assert isinstance(diagram["lag"], FirstOrderLag)
    assert diagram["lag"].time_constant == 1.0
    assert all(component.parent is None for component in fidelity.values())


def test_a_level_may_exchange_a_component_and_set_a_parameter_of_it() -> None:
    levels = {"lag": {"lag.time_constant": 0.5}, "integral": {"lag": Integrator(), "lag.initial_x": 10.0}}
    outcome = Study(lag(), {"model": levels}, FINAL, end=1.0, inputs={"u": 1.0}).run("serial")
    np.testing.assert_allclose(outcome.values("y"), [response(1.0, 2.0, 1.0, 0.5), 12.0], rtol=1e-9)


def test_sizes_that_differ_have_plans_of_their_own() -> None:
    diagram = Diagram("sizes")
    diagram.add("source", Constant([1.0, 2.0]))
    diagram.add("gain", Gain(1.0))
    diagram.connect("source.y", "gain.u")
    levels = {"two": [1.0, 2.0], "three": [3.0, 2.0, 1.0], "two more": [4.0, 2.0]}
    study = Study(diagram, {"source.value": levels, "gain.gain": [1.0, -1.0]}, {"y": "final(gain.y[0])"}, end=0.1)
    assert len(study.cases) == 3
    np.testing.assert_array_equal(study.run("serial").values("y"), [[1.0, -1.0], [3.0, -3.0], [4.0, -4.0]])


def test_parameters_of_blocks_in_python_have_plans_of_their_own() -> None:
    study = Study(doubling(), {"double.start": [1.0, 3.0, 200.0]}, {"x": "final(x.y)"}, end=1.0, step=0.1)
    assert len(study.cases) == 3
    outcome = study.run()
    np.testing.assert_allclose(outcome.values("x"), [2.0, 6.0, np.nan], rtol=1e-12)
    assert "double stopped the run at t = 0 s: ValueError in outputs: too much" in outcome.reasons[2]
    plan = study.cases[0].plan
    with pytest.raises(ParameterError, match=r"double.start belongs to a block written in Python"):
        Variation(plan, ["double.start"], one_engine=True)


def test_a_block_alone_and_a_stop_signal() -> None:
    study = Study(Integrator(), {"u": [1.0, 4.0]}, {"x": "final(integrator.y)", "t": "end_time"}, end=1.0, step=0.25)
    np.testing.assert_allclose(study.run("serial").values("x"), [1.0, 4.0])
    stopping = Study(
        lag(), {"u": [1.0, 0.1]}, {"t": "end_time"}, end=2.0, inputs={}, stop="lag.y"
    )  # on above 0.5: 2(1 - exp(-t)) = 0.5
    outcome = stopping.run("serial")
    assert outcome.status == ["stopped", "end"]
    assert outcome.values("t")[0] == pytest.approx(np.log(4.0 / 3.0), abs=0.011)
    assert outcome.values("t")[1] == 2.0


def test_an_input_that_varies_in_time_is_the_same_for_all() -> None:
    ramp = ([0.0, 1.0], [0.0, 1.0])
    metrics = {"y": Metric(lambda r: r.values("gain.y")[-1], "gain.y")}
    outcome = Study(lag(), {"gain.gain": [1.0, 3.0]}, metrics, end=0.5, inputs={"u": ramp}).run()
    np.testing.assert_allclose(outcome.values("y"), [0.5, 1.5], rtol=1e-12)


def test_replicates_differ_by_their_seeds_only() -> None:
    outcome = noisy_study().run("serial")
    values = outcome.values("rms")
    assert values.shape == (3, 2, 4)
    assert len(np.unique(values)) == 24
    again = noisy_study().run("serial")
    np.testing.assert_array_equal(again.values("rms"), values)
    other = Study(noise(), {}, {"rms": "rms(lag.y)"}, end=2.0, replicates=4, seeds="noise.seed", seed=8).run("serial")
    assert not np.isin(other.values("rms"), values).any()


def test_common_random_numbers_are_equal_for_all_levels() -> None:
    from blocks.study import Seeds

    factors = {"bias.value": [1.0, 2.0, 3.0]}
    metrics = {"rms": "rms(lag.y)", "bias": "final(bias.y)"}
    seeds = Seeds("noise.seed", common=True)
    values = Study(noise(), factors, metrics, end=1.0, replicates=5, seeds=seeds).run("serial").values("rms")
    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_array_equal(values[0], values[2])
    assert len(np.unique(values)) == 5


def test_adaptive_steps_and_points_that_are_left_out() -> None:
    metrics = {"points": Metric(lambda r: float(len(r)), "lag.y"), "y": "final(lag.y)"}
    outcome = Study(
        lag(), {"u": [1.0]}, metrics, end=1.0, step=0.1, solver="dopri5", every=5, relative_tolerance=1e-9
    ).run("serial")
    assert outcome.values("points")[0] == 3  # at 0, 0.5 and 1
    assert outcome.values("y")[0] == pytest.approx(response(1.0), rel=1e-8)


def turning() -> Diagram:
    """The model of a tanker with its rudder over."""
    ship = Diagram("ship")
    hull = ship.add("hull", MMGVessel.from_vehicle("kvlcc2_l7", initial_nu=[1.179, 0, 0, 0, 0, 0]))
    stern = ship.add("stern", MMGPropulsion.from_vehicle("kvlcc2_l7"))
    ship.add("helm", Constant([0.3]))
    ship.add("shaft", Constant([10.33]))
    for source, sink in (
        ("helm.y", stern.rudder), ("shaft.y", stern.command), (hull.nu_r, stern.nu_r), (stern.force, hull.force)
    ):  # fmt: skip
        ship.connect(source, sink)
    return ship


def test_elements_of_a_parameter_are_factors(compiled: bool) -> None:
    """By label, by number, drawn or given, two of one array at once: as a block that was made with them."""
    factors = {
        "hull.sway_derivatives[Y_v]": Normal(-0.315, 0.03),
        "hull.sway_derivatives[1]": [0.07, 0.09],
        "u": Factor(["1.1 m/s", "2 kn"], of="hull.initial_nu[u]"),
    }
    study = Study(turning(), factors, {"r": "final(hull.nu[r])"}, end=20.0, step=0.1, design=LatinHypercube(4), seed=3)
    outcome = study.run("serial", compiled=compiled)
    assert len(study.cases) == 1
    for row in outcome.table.itertuples(index=False):
        sway = [row[1], row[2], -1.607, 0.379, -0.391, 0.008]
        alone = turning()
        alone["hull"].set(sway_derivatives=sway, initial_nu=[row[3], 0, 0, 0, 0, 0])  # type: ignore[attr-defined]
        run = simulate(alone, 20.0, step=0.1)
        assert run.values("hull.nu[r]")[-1] == row.r
    np.testing.assert_array_equal(study.simulate(5).values("hull.nu[r]")[-1], outcome.table.r[5])
    assert outcome.dataset["u"].units == "m/s"


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ({"hull.sway_derivatives[Y_w]": [1.0]}, r"hull\.sway_derivatives has no element 'Y_w'; did you mean 'Y_v'"),
        ({"hull.draught[0]": [1.0]}, r"hull\.draught is a single number, and has no element '0'"),
        ({"hull.sway_derivatives[Y_v]": ["1 m"]}, r"'1 m' is in m"),
        ({"hull.sway_derivatives[Y_v]": [0.3]}, r"Y_v' must not be positive, not 0\.3"),
        (
            {"hull.sway_derivatives[Y_v]": [-0.3], "other": Factor([-0.2], of="hull.sway_derivatives[0]")},
            r"'hull\.sway_derivatives\[Y_v\]' is changed by two factors",
        ),
        (
            {"hull.yaw_derivatives[N_r]": [-0.05], "other": Factor({"a": np.zeros(6)}, of="hull.yaw_derivatives")},
            r"is changed by two factors",
        ),
    ],
)
def test_mistakes_with_elements_are_explained(factors: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        Study(turning(), factors, {"r": "final(hull.nu[r])"}, end=1.0, step=0.1).run("serial")
