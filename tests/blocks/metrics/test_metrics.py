"""Metrics against closed forms."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from blocks import Diagram, Result, simulate
from blocks.basic import Constant, Gain, Integrator, Sum, TransferFunction
from blocks.cli.commands import cli
from blocks.errors import KeelblocksError
from blocks.metrics import DEFINITIONS, MetricError, measure
from blocks.plan.place import Place

ZETA, OMEGA = 0.3, 2.0


@pytest.fixture(scope="module")
def step() -> Result:
    """A second-order system that answers a step of 2, and y(0) = 0."""
    diagram = Diagram("step")
    diagram.add("wanted", Constant(2.0))
    diagram.add("system", TransferFunction([OMEGA**2], [1.0, 2.0 * ZETA * OMEGA, OMEGA**2]))
    diagram.add("error", Sum("+-"))
    diagram.connect("wanted.y", "system.u", "error.in1")
    diagram.connect("system.y", "error.in2")
    return simulate(diagram, 30.0, step=0.005)


@pytest.fixture(scope="module")
def turn() -> Result:
    """A heading that goes from 170° to 190°, wrapped, while -170° is wanted; and a meter, and a leg that changes."""
    time = np.linspace(0.0, 10.0, 101)
    heading = np.radians(170.0 + 20.0 * np.minimum(time / 5.0, 1.0))
    return recorded(
        time,
        {
            "guidance.heading": ("rad", np.full_like(time, np.radians(-170.0))),
            "vessel.psi": ("rad", (heading + np.pi) % (2.0 * np.pi) - np.pi),
            "guidance.waypoint": ("1", np.where(time < 4.0, 2.0, 3.0)),
            "guidance.finished": ("1", np.where(time < 8.0, 0.0, 1.0)),
            "guidance.error": ("m", np.where(time < 4.0, 1.0, 3.0)),
            "meter.energy": ("J", 100.0 + 7.0 * time),
            "vessel.eta": ("m", np.column_stack([3.0 * time, 4.0 * time, 0.0 * time])),
        },
    )


def recorded(time: np.ndarray, quantities: dict[str, tuple[str, np.ndarray]]) -> Result:
    """The result of a run that never was."""
    places, columns, first = {}, {}, 0
    for name, (unit, values) in quantities.items():
        places[name] = Place(name, first, values.shape[1:], unit)
        columns[name] = slice(first, first + places[name].count)
        first += places[name].count
    return Result(time, places, columns, np.column_stack([values for _, values in quantities.values()]), {})


def test_a_step_response(step) -> None:
    found = measure(
        step,
        {
            "overshoot": "overshoot(system.y, wanted.y)",
            "rise": "rise_time(system.y, wanted.y)",
            "settling": "settling_time(system.y, wanted.y, band=0.05)",
            "ise": "ise(system.y, wanted.y)",
            "steady": "steady(system.y)",
        },
    )
    assert found["overshoot"].value == pytest.approx(np.exp(-np.pi * ZETA / np.sqrt(1 - ZETA**2)), rel=1e-4)
    assert found["rise"].value == pytest.approx(0.662, abs=0.002)  # tabulated for ζ = 0.3: ω t_r = 1.324
    envelope = -np.log(0.05 * np.sqrt(1 - ZETA**2)) / (ZETA * OMEGA)  # the response leaves the band no later
    assert envelope - np.pi / OMEGA < found["settling"].value <= envelope
    assert found["ise"].value == pytest.approx(4.0 * (1.0 + 4.0 * ZETA**2) / (4.0 * ZETA * OMEGA), rel=1e-5)
    assert found["steady"].value == pytest.approx(2.0, abs=1e-4)


def test_the_error_alone_measures_the_same(step) -> None:
    for word in ("iae", "ise", "itae"):
        assert float(measure(step, f"{word}(error.y)")) == float(measure(step, f"{word}(system.y, wanted.y)"))


def test_exponentials_have_closed_forms() -> None:
    diagram = Diagram("decay")
    diagram.add("x", Integrator(initial_x=3.0))
    diagram.add("rate", Gain(-0.5))
    diagram.connect("x.y", "rate.u")
    diagram.connect("rate.y", "x.u")
    run = simulate(diagram, 60.0, step=0.01)
    for text, expected in (
        ("iae(x.y)", 6.0), ("ise(x.y)", 9.0), ("itae(x.y)", 12.0), ("mean(x.y)", 0.1), ("effort(rate.y)", 3.0),
        ("variation(x.y)", 3.0), ("rms(x.y)", np.sqrt(9.0 / 60.0)), ("rate(x.y)", np.sqrt(2.25 / 60.0)),
        ("mean(x.y, after=2 s, until=4 s)", 3.0 * (np.exp(-1.0) - np.exp(-2.0))), ("largest(rate.y)", 1.5),
        ("time_beyond(x.y, limit=0.3)", 2.0 * np.log(10.0) / 60.0),
    ):  # fmt: skip
        assert float(measure(run, text)) == pytest.approx(expected, rel=2e-4), text


def test_angles_go_the_short_way_round(turn) -> None:
    assert float(measure(turn, "largest_error(vessel.psi, guidance.heading)")) == pytest.approx(
        np.radians(20.0), abs=1e-9
    )
    assert float(measure(turn, "overshoot(vessel.psi, guidance.heading)")) == pytest.approx(0.0, abs=1e-9)
    assert float(measure(turn, "rise_time(vessel.psi, guidance.heading)")) == pytest.approx(4.0, abs=1e-6)


def test_a_leg_counts_alone(turn) -> None:
    assert [float(measure(turn, f"rms(guidance.error, leg={leg})")) for leg in (1, 2)] == pytest.approx([1.0, 3.0])
    assert float(measure(turn, "used(meter.energy, leg=2)")) == pytest.approx(42.0)  # the one leg there is a word for


def test_a_journey(turn) -> None:
    found = measure(
        turn, ["path_length(vessel.eta)", "mean_speed(vessel.eta)", "energy_per_metre(meter.energy, vessel.eta)"]
    )
    assert [one.value for one in found.values()] == pytest.approx([50.0, 5.0, 1.4])
    assert [one.unit for one in found.values()] == ["m", "m/s", "J/m"]


def test_arrival(turn) -> None:
    assert float(measure(turn, "arrived(guidance.finished)")) == 1.0
    assert float(measure(turn, "arrival_time(guidance.finished)")) == pytest.approx(8.0, abs=0.11)
    with pytest.raises(MetricError, match=r"arrival_time\(guidance.finished, until=5 s\): .*did not arrive by 5 s"):
        measure(turn, "arrival_time(guidance.finished, until=5)")


def test_units_follow_from_the_signals(turn) -> None:
    units = {
        text: measure(turn, text).unit
        for text in (
            "rms(vessel.psi)",
            "ise(vessel.psi)",
            "itae(vessel.psi)",
            "rate(vessel.psi)",
            "iae(meter.energy)",
            "duration()",
        )
    }
    assert list(units.values()) == ["rad", "rad^2*s", "rad*s^2", "rad/s", "J*s", "s"]


def test_every_metric_is_defined_in_words() -> None:
    for name, definition in DEFINITIONS.items():
        assert definition.doc.endswith("."), name
        assert definition.formula, name
        assert definition.usage.startswith(f"{name}(")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rsm(vessel.psi)", r"there is no 'rsm'; did you mean 'rms'"),
        ("rms", r"takes other signals: rms\(signal\)"),
        ("rms(vessel.psi, guidance.heading)", r"takes other signals: rms\(signal\)"),
        ("overshoot(vessel.psi)", r"takes other signals: overshoot\(signal, reference\)"),
        ("rms(vessel.psi", "must be like rms"),
        ("rms(psi y)", "'psi y' is no signal"),
        ("rms(vessel.ps)", "'vessel.ps' was not recorded; did you mean 'vessel.psi'"),
        ("rms(vessel.psi, leg=7)", "leg 7 was not followed there; those that were are 1, 2"),
        ("rms(vessel.psi, leg=1.5)", "leg is a whole number from 1, or all, not 1.5"),
        ("settling_time(vessel.psi, guidance.heading, bnad=1)", "no option 'bnad'; did you mean 'band'"),
        ("rms(vessel.psi, after=3 kg)", "after: '3 kg' is in kg, but s is wanted"),
        ("rms(vessel.psi, after=100)", "the run has 0 samples there, and two are needed"),
        ("overshoot(guidance.heading, guidance.heading)", "there is no step"),
        ("settling_time(vessel.psi, guidance.heading, until=3)", "still beyond 2 % of the step at 3 s"),
        ("path_length(vessel.psi)", "'vessel.psi' must be a pose or a position, .* it is 1 number in rad"),
        ("path_length(vessel.eta[0])", r"'vessel.eta\[0\]' must be a pose .* it is one element of vessel.eta"),
        ("rms(vessel.eta)", r"vessel.eta has 3 elements \(0, 1, 2\); name one: vessel.eta\[0\]"),
        ("rms_error(vessel.psi, guidance.error)", "'vessel.psi' is in rad, but its reference 'guidance.error' in m"),
        ("arrival_time(meter.energy)", "'meter.energy' is in J; a signal that comes on"),
        ("time_beyond(guidance.error, limit=1 kg)", "limit: '1 kg' is in kg, but m is wanted, the unit of guidance.er"),
        ("time_beyond(guidance.error, limit=-1)", "limit must be ≥ 0, not -1"),
        ("steady(guidance.error, share=0)", "share must be > 0 and ≤ 1, not 0"),
        ("steady(guidance.error, share=nan)", "share must be > 0 and ≤ 1, not nan"),
        ("rms(guidance.error, after=5, until=2)", "after must be before until"),
        ("rms(guidance.error, leg=1, leg=2)", "leg is given twice"),
        ("rms(guidance.error, leg=all)", "is several numbers: give it in a list"),
    ],
)
def test_what_cannot_be_measured_says_why(turn, text, message) -> None:
    with pytest.raises(KeelblocksError, match=message):
        measure(turn, text)


def test_the_page_lists_every_metric() -> None:
    page = Path(__file__).parents[3] / "docs" / "metrics.md"
    listed = re.findall(r"^\| `([^`]+)` \| (\S[^|]*) \|", page.read_text(encoding="utf-8"), re.M)
    told = json.loads(CliRunner().invoke(cli, ["list", "metrics", "--json"]).output)
    assert [usage for usage, _ in listed] == [definition.usage for definition in DEFINITIONS.values()]
    assert listed == [(one["metric"], one["unit"].replace("^2", "²").replace("*", " ")) for one in told]


def test_how_an_angle_changes_does_not_count_its_wrap(turn) -> None:
    assert float(measure(turn, "variation(vessel.psi)")) == pytest.approx(np.radians(20.0))


def test_the_mean_of_an_angle_that_wraps_is_a_direction() -> None:
    """By half: 10 s at 179°, 10 s at -179°, as a compass shows them; and a turn by a full circle in 20 s."""
    time = np.linspace(0.0, 20.0, 401)
    south = np.radians(np.where(time < 10.0, 179.0, -179.0))
    around = (2.0 * np.pi * time / 20.0 + np.pi) % (2.0 * np.pi) - np.pi
    run = recorded(time, {"a.south": ("rad", south), "a.around": ("rad", around)})
    assert abs(float(measure(run, "mean(a.south)"))) == pytest.approx(np.pi, abs=1e-4)
    assert float(measure(run, "steady(a.south)")) == pytest.approx(np.radians(-179.0))
    assert float(measure(run, "standard_deviation(a.south)")) == pytest.approx(np.radians(1.0), rel=0.01)
    assert float(measure(run, "rate(a.around)")) == pytest.approx(2.0 * np.pi / 20.0)


def test_a_loop_counts_the_first_time_around_and_its_way_back() -> None:
    time = np.arange(0.0, 12.0)
    waypoint = np.array([2, 2, 2, 3, 3, 3, 1, 1, 1, 2, 2, 2])
    run = recorded(time, {"g.waypoint": ("1", waypoint), "g.error": ("m", time)})
    found = measure(run, {"error": "greatest(g.error, leg=all)", "whole": "greatest(g.error)"})
    assert {name: one.value for name, one in found.items()} == {
        "error_leg_1": 2.0, "error_leg_2": 5.0, "error_leg_3": 8.0, "whole": 11.0,
    }  # fmt: skip
    assert list(measure(run, ["final(g.error, after=1 s, leg = all )"])) == [
        f"final(g.error, after=1 s, leg = {leg} )" for leg in (1, 2, 3)
    ]


def test_a_limit_is_in_the_unit_of_the_signal(turn) -> None:
    beyond = [
        float(measure(turn, f"time_beyond({signal}, limit={limit})"))
        for signal, limit in (("guidance.error", "2 m"), ("guidance.error", "200 cm"), ("vessel.psi", "175 deg"))
    ]
    assert beyond == pytest.approx([0.6, 0.6, 0.25], abs=0.02)


def test_what_is_no_number_is_told_with_its_time() -> None:
    time = np.linspace(0.0, 1.0, 11)
    run = recorded(time, {"a.y": ("m", np.where(time > 0.45, np.nan, 1.0))})
    with pytest.raises(MetricError, match=r"rms\(a.y\): a.y is not a finite number at 0.5 s"):
        measure(run, "rms(a.y)")
    with pytest.raises(MetricError, match="the time of the run does not increase"):
        measure(recorded(np.zeros(5), {"a.y": ("m", np.ones(5))}), "rms(a.y)")


def test_metrics_that_are_no_text(turn) -> None:
    for given in (3, None, {"a": 3}, ["rms(vessel.psi)", 2]):
        with pytest.raises(MetricError, match=r"not (3|None|2)$"):
            measure(turn, given)
