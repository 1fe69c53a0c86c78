"""What is wrong with a study is said before it runs, with names, near misses and what to do."""

from __future__ import annotations

import numpy as np
import pytest
from study_subjects import lag

from blocks import Diagram
from blocks.basic import Constant, FirstOrderLag, Integrator
from blocks.environment import UniformCurrent
from blocks.errors import KeelblocksError
from blocks.study import Choice, Factor, Metric, Sobol, Study, StudyError, Uniform
from blocks.study.angles import check_directions

METRICS = {"y": "final(lag.y)"}


def value(result):
    return result.values("lag.y")[-1]


FACTORS = {
    "unknown": (
        {"lag.time_constan": [1.0]},
        "factor 'lag.time_constan': no parameter, input or component .*'lag.time_constant'",
    ),
    "unknown component": ({"lg": {"a": FirstOrderLag(1.0)}}, "lg = a: no component 'lg'.*'lag'"),
    "empty": ({"lag.time_constant": []}, "factor 'lag.time_constant' has no levels: give at least one"),
    "no levels": ({"lag.time_constant": 3.0}, "needs a list or a mapping of levels, or a distribution, not 3.0"),
    "twice": ({"lag.time_constant": [1.0, 2.0, 1.0]}, "has the level 1.0 twice"),
    "twice in another unit": (
        {"lag.time_constant": [1.0, "1000 ms"]},
        "factor 'lag.time_constant' has the level 1 s twice",
    ),
    "out of range": (
        {"lag.time_constant": [1.0, -2.0]},
        "factor 'lag.time_constant', level '-2.0': .*must be > 0 s, not -2",
    ),
    "not a number": ({"u": ["fast"]}, "factor 'u', level 'fast': input 'u' takes numbers in SI, not 'fast'"),
    "two factors": (
        {"a": Factor([1.0], of="gain.gain"), "gain.gain": [2.0]},
        "'gain.gain' is changed by two factors, 'a' and",
    ),
    "labels for groups": ({"both": [{"gain.gain": 1.0}]}, "levels with several targets need labels"),
    "ports that do not fit": (
        {"lag": {"vessel": UniformCurrent(1.0, 0.0)}},
        "lag = vessel: lag: the new UniformCurrent has no input 'u'",
    ),
    "reserved": ({"status": Factor([1.0], of="gain.gain")}, "a factor cannot be called 'status': every table has a"),
    "a path": ({"m/s": Factor([1.0], of="gain.gain")}, "a factor cannot be called 'm/s': files of results take '/'"),
    "no name": ({" ": Factor([1.0], of="gain.gain")}, "the name of a factor must be text, not ' '"),
    "number": ({3: Factor([1.0], of="gain.gain")}, "the name of a factor must be text, not 3"),
    "metric too": ({"y": Factor([1.0], of="gain.gain")}, "'y' is the name of a factor and of a metric"),
    "nothing in of": ({"a": Factor([1.0], of=[])}, "factor 'a': `of` names nothing"),
    "a set": ({"u": {1.0, 2.0}}, "needs a list or a mapping of levels, .*, for a set has no order"),
    "a class": ({"lag": {"new": FirstOrderLag}}, r"FirstOrderLag is a kind of block; give .* FirstOrderLag\(…\)"),
    "no changes": ({"x": {"as it is": {}}}, "factor 'x': none of its levels changes anything"),
    "odd label": ({"u": {(1, 2): 1.0}}, r"factor 'u': a label is text or a number, not \(1, 2\)"),
    "nothing among numbers": ({"gain.gain": [1.0, None]}, "level '1': Gain.gain must be .* not None"),
    "choice": (
        {"u": Choice(Uniform(1.0, 2.0))},
        r"Choice draws from levels, and Uniform\(1.0, 2.0\) is a distribution",
    ),
    "no circle": ({"lag.time_constant": Factor([1.0, 2.0], circular=True)}, "is in s, and goes around no circle"),
    "a component": ({"lag": [1.0]}, r"'lag' is a component, whose levels are components, .* 'lag\.…'"),
    "too many": ({"u": range(5000), "gain.gain": range(5000)}, "25,000,000 members, along 5,000 u × 5,000 gain.gain"),
    "dimension": ({"sample": Factor([1.0], of="gain.gain")}, "a factor cannot be called 'sample'"),
}


@pytest.mark.parametrize("name", FACTORS)
def test_bad_factors(name: str) -> None:
    factors, message = FACTORS[name]
    with pytest.raises(StudyError, match=message):
        Study(lag(), factors, METRICS, end=1.0, inputs={} if "u" in factors else {"u": 1.0})


METRIC = {
    "none": ({}, "a study needs at least one metric, such as"),
    "unknown output": ({"y": "rms(lag.yy)"}, r"metric 'y': no output 'lag.yy'; did you mean .*'lag.y'"),
    "unknown word": ({"y": "rmse(lag.y)"}, r"metric 'y': .*: there is no 'rmse'; did you mean 'rms'"),
    "no output": ({"y": "rms"}, r"the metric 'rms' takes other signals: rms\(signal\)"),
    "end of something": ({"y": "end_time(lag.y)"}, "end_time stands alone"),
    "not a text": ({"y": 3.0}, "the metric 'y' must be text such as"),
    "not in form": ({"y": "the rms of y"}, "must be like rms"),
    "reserved": ({"reason": "rms(lag.y)"}, "a metric cannot be called 'reason'"),
    "end time": ({"end_time": "rms(lag.y)"}, "a metric cannot be called 'end_time'"),
    "dimension": ({"sample": "rms(lag.y)"}, "a metric cannot be called 'sample': results have a dimension of"),
    "a path": ({"J/m": "rms(lag.y)"}, "a metric cannot be called 'J/m'"),
    "no mapping": (3, "metrics are a mapping of names to metrics, .* not 3"),
    "not recorded": ({"y": Metric(value, "lag.z")}, "metric 'y': no output 'lag.z'; did you mean"),
}


@pytest.mark.parametrize("name", METRIC)
def test_bad_metrics(name: str) -> None:
    metrics, message = METRIC[name]
    with pytest.raises(StudyError, match=message):
        Study(lag(), {"u": [1.0]}, metrics, end=1.0)


def test_metrics_of_vectors_need_an_element() -> None:
    diagram = Diagram("vector")
    diagram.add("current", UniformCurrent(1.0, 0.0))
    with pytest.raises(
        StudyError, match=r"has 3 elements \(north, east, down\); name one: rms\(current.current\[north\]\)"
    ):
        Study(diagram, {}, {"v": "rms(current.current)"}, end=1.0)
    with pytest.raises(StudyError, match=r"current.current has no element 'nort'; did you mean 'north'"):
        Study(diagram, {}, {"v": "rms(current.current[nort])"}, end=1.0)
    with pytest.raises(StudyError, match=r"must say what it needs"):
        Metric(value, ())
    with pytest.raises(StudyError, match=r"needs a function of the result, not 'rms'"):
        Metric("rms", "lag.y")  # type: ignore[arg-type]


def test_a_run_without_end_is_refused() -> None:
    with pytest.raises(StudyError, match=r"from 0 s to 1 s by steps of 9\.99989e-321 s never ends: it has inf steps"):
        Study(lag(), {"u": [1.0]}, METRICS, end=1.0, step=1e-320)


def test_what_a_run_needs() -> None:
    with pytest.raises(StudyError, match=r"factors are a mapping of names to levels, .* not \['u'\]"):
        Study(lag(), ["u"], METRICS, end=1.0)  # type: ignore[arg-type]
    with pytest.raises(StudyError, match=r"a design is Grid\(\), LatinHypercube\(100\), .* not 'sobol'"):
        Study(lag(), {"u": Uniform(0.0, 1.0)}, METRICS, end=1.0, design="sobol")  # type: ignore[arg-type]
    with pytest.raises(StudyError, match=r"seeds are names of parameters, such as \['sea.seed'\], .* not 3"):
        Study(lag(), {"u": [1.0]}, METRICS, end=1.0, seeds=3)  # type: ignore[arg-type]
    with pytest.raises(KeelblocksError, match=r"the input 'u' needs a value"):
        Study(lag(), {}, METRICS, end=1.0)
    with pytest.raises(StudyError, match=r"no input 'v'; did you mean 'u'|no input 'v'; valid: u"):
        Study(lag(), {"u": [1.0]}, METRICS, end=1.0, inputs={"v": 1.0})
    with pytest.raises(StudyError, match=r"the input 'u' is a factor"):
        Study(lag(), {"u": [1.0]}, METRICS, end=1.0, inputs={"u": 1.0})
    with pytest.raises(StudyError, match=r"a study needs a diagram or a block, not 3"):
        Study(3, {}, METRICS, end=1.0)  # type: ignore[arg-type]
    with pytest.raises(StudyError, match=r"seed must be a whole number ≥ 0, not -1"):
        Study(lag(), {"u": [1.0]}, METRICS, end=1.0, seed=-1)
    study = Study(lag(), {"u": [1.0]}, METRICS, end=1.0)
    with pytest.raises(StudyError, match=r"no executor 'thread'; did you mean 'threads'"):
        study.run("thread")
    with pytest.raises(StudyError, match=r"the address of a Dask scheduler is written tcp://head:8786"):
        study.run("head:8786")
    with pytest.raises(StudyError, match=r"there is no member 1: they are numbered from 0 to 0"):
        study.member(1)
    with pytest.raises(StudyError, match=r"workers must be a whole number ≥ 1, not 0"):
        study.run(workers=0)
    with pytest.raises(
        StudyError, match=r"an executor is a name, the address of a Dask scheduler or a Dask client, not 3"
    ):
        study.run(3)


def test_one_distribution_for_parameters_in_other_units() -> None:
    diagram = Diagram("current")
    diagram.add("current", UniformCurrent(1.0, 0.0))
    factor = Factor(Uniform(0.0, 1.0), of=["current.speed", "current.direction"])
    with pytest.raises(StudyError, match=r"'both': current.speed is in m/s and current.direction in rad, and one"):
        Study(diagram, {"both": factor}, {"n": "final(current.current[north])"}, end=1.0, design=Sobol(2))


def test_an_exchanged_component_without_the_output_of_a_metric() -> None:
    diagram = Diagram("exchange")
    diagram.add("source", Constant(1.0))
    diagram.add("x", Integrator())
    diagram.connect("source.y", "x.u")
    other = Diagram("inner")
    other.add("lag", FirstOrderLag(1.0))
    other.inputs(u="lag.u")
    with pytest.raises(StudyError, match=r"x = nested: metric 'y': no output 'x.y'"):
        Study(diagram, {"x": {"plain": Integrator(), "nested": other}}, {"y": "final(x.y)"}, end=1.0)


# --- directions ------------------------------------------------------------------------------------------------------


def test_directions_that_close_the_circle() -> None:
    turn = 2.0 * np.pi
    check_directions("heading", np.arange(33) * turn / 33, None)
    check_directions("heading", list(np.radians([-120.0, 0.0, 120.0])), True)
    check_directions("heading", list(np.radians([0.0, 45.0, 90.0, 135.0, 180.0])), None)  # half of it, by symmetry
    check_directions("heading", list(np.radians([0.0, 10.0, 40.0])), None)
    check_directions("heading", [0.0, turn], False)


@pytest.mark.parametrize(
    ("degrees", "circular", "message"),
    [
        (np.linspace(0.0, 360.0, 33), None, "'heading': 0° and 360° are the same direction, which would count twice"),
        ([-180.0, 0.0, 180.0], None, "-180° and 180° are the same direction"),
        (
            np.arange(0.0, 360.0, 33.0),
            None,
            "does not close the circle: from 330° to 0° it goes 30° further, elsewhere 33°",
        ),
        (
            [0.0, 90.0, 180.0],
            True,
            "from 180° to 0° it goes 180° further, elsewhere 90°; take 3 levels that are 120° apart",
        ),
    ],
)
def test_directions_that_do_not(degrees, circular, message) -> None:
    diagram = Diagram("current")
    diagram.add("current", UniformCurrent(1.0, 0.0))
    factor = Factor(list(np.radians(degrees)), of="current.direction", circular=circular)
    with pytest.raises(StudyError, match=message):
        Study(diagram, {"heading": factor}, {"n": "final(current.current[north])"}, end=1.0)
