"""Designs, distributions and seeds: samples lie where they should, and are the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from study_subjects import lag, noise

from blocks.study import (
    Choice,
    Factor,
    Grid,
    LatinHypercube,
    LogUniform,
    Normal,
    Random,
    Seeds,
    Sobol,
    Study,
    StudyError,
    Uniform,
)
from blocks.study.seeds import distinct

METRICS = {"y": "final(lag.y)"}


@pytest.mark.parametrize("design", [LatinHypercube(64), Sobol(64), Random(64)], ids=lambda d: type(d).__name__)
def test_samples_are_in_the_open_cube_and_follow_from_the_seed(design) -> None:
    shares = design.shares(3, 5)
    assert shares.shape == (64, 3)
    assert np.all((shares > 0.0) & (shares < 1.0))
    np.testing.assert_array_equal(shares, design.shares(3, 5))
    assert not np.isin(shares, design.shares(3, 6)).any()


def test_latin_hypercube_and_sobol_have_one_sample_in_each_slice() -> None:
    for design in (LatinHypercube(64), Sobol(64)):
        slices = np.sort((design.shares(3, 1) * 64).astype(int), axis=0)
        np.testing.assert_array_equal(slices, np.arange(64)[:, None].repeat(3, axis=1))


def test_distributions_in_units_of_the_parameter() -> None:
    factors = {
        "lag.time_constant": Uniform("500 ms", 1.5),
        "gain.gain": LogUniform(0.1, 10.0),
        "u": Normal(3.0, 0.5),
        "lag.initial_x": stats.triang(0.5, loc=-1.0, scale=2.0),
    }
    study = Study(lag(), factors, METRICS, end=1.0, design=LatinHypercube(200), inputs={})
    dataset = study.run("serial").dataset
    assert dataset.sizes == {"sample": 200}
    T, k, u, x = (dataset[name].values for name in factors)
    assert T.min() > 0.5
    assert T.max() < 1.5
    assert np.mean(np.log10(k)) == pytest.approx(0.0, abs=0.01)
    assert (np.mean(u), np.std(u)) == (pytest.approx(3.0, abs=0.01), pytest.approx(0.5, abs=0.02))
    assert np.std(x) == pytest.approx(1.0 / np.sqrt(6.0), abs=0.02)
    np.testing.assert_allclose(dataset["y"], k * u + (x - k * u) * np.exp(-1.0 / T), rtol=1e-7)
    assert dataset["lag.time_constant"].units == "s"


def test_levels_are_crossed_with_samples_and_replicates() -> None:
    factors = {"lag.time_constant": [0.3, 1.0], "noise.upper": Uniform(0.0, 1.0), "bias.value": Choice([1.0, 2.0, 3.0])}
    metrics = {"y": "rms(lag.y)", "bias": "final(bias.y)", "greatest": "greatest(noise.y)"}
    study = Study(noise(), factors, metrics, end=5.0, step=0.1, design=Sobol(8), replicates=2, seeds=["noise.seed"])
    outcome = study.run("serial")
    assert outcome.dataset["y"].dims == ("lag.time_constant", "sample", "replicate")
    assert outcome.values("y").shape == (2, 8, 2)
    assert len(study.cases) == 1
    bias, upper = outcome.dataset["bias.value"].values, outcome.dataset["noise.upper"].values
    np.testing.assert_array_equal(outcome.values("bias")[1, :, 0], bias)
    assert sorted(set(bias)) == [1.0, 2.0, 3.0]
    assert np.all(outcome.values("greatest") <= upper[None, :, None])
    table = outcome.table
    assert list(table.columns[:6]) == [
        "member",
        "lag.time_constant",
        "noise.upper",
        "bias.value",
        "sample",
        "replicate",
    ]
    assert table["noise.upper"][3] == upper[1]


def test_seeds_are_distinct_and_more_begin_with_the_same() -> None:
    many = distinct(3, 0, 50_000, 2**32 - 1)
    assert len(np.unique(many)) == 50_000
    assert 0 <= many.min() <= many.max() < 2**32
    np.testing.assert_array_equal(distinct(3, 0, 1000, 2**32 - 1), many[:1000])
    assert not np.isin(distinct(4, 0, 1000, 2**32 - 1), many).any()
    assert not np.isin(distinct(3, 1, 1000, 2**32 - 1), many).any()
    assert sorted(distinct(0, 0, 10, 9)) == list(range(10))
    assert many.mean() == pytest.approx(2**31, rel=0.01)


def test_seeds_may_be_given() -> None:
    values = {"noise.seed": [5, 6, 7, 8]}
    outcome = Study(noise(), {"lag.time_constant": [0.2, 1.0]}, METRICS, end=1.0, replicates=2, seeds=values).run(
        "serial"
    )
    alone = noise()
    alone["noise"].set(seed=7)  # type: ignore[attr-defined]
    alone["lag"].set(time_constant=1.0)  # type: ignore[attr-defined]
    same = Study(alone, {}, METRICS, end=1.0).run("serial")
    assert outcome.values("y")[1, 0] == same.values("y")


BAD = {
    "a distribution in a grid": (
        {"gain.gain": Uniform(0, 1)},
        {"design": Grid()},
        "factor 'gain.gain' is a distribution, which a grid cannot go through: give levels, or a design=",
    ),
    "samples of nothing": (
        {"gain.gain": [1.0]},
        {"design": LatinHypercube(3)},
        "samples factors that are distributions, but none is",
    ),
    "limits that are turned": (
        {"gain.gain": Uniform(1, 0)},
        {"design": Random(3)},
        "must end above its beginning",
    ),
    "a distribution that is not frozen": (
        {"gain.gain": Factor(stats.norm)},
        {"design": Random(3)},
        "has parameters to be given yet",
    ),
    "a unit that does not fit": (
        {"lag.time_constant": Uniform("1 m", "2 m")},
        {"design": Random(3)},
        "factor 'lag.time_constant': '1 m' is in m, but s is wanted",
    ),
    "samples out of range": (
        {"lag.time_constant": Normal(0.1, 1.0)},
        {"design": Random(30)},
        r"factor sample \d+, lag.time_constant = -[\d.]+: lag.time_constant must be > 0 s",
    ),
    "structure from a distribution": (
        {"noise.period": Uniform(0.1, 0.2)},
        {"design": Random(3)},
        "takes a plan of its own for each value",
    ),
    "equal replicates": ({}, {"replicates": 3}, "3 replicates would all be equal: say which parameters are seeds"),
    "a seed that is no seed": (
        {},
        {"seeds": "lag.time_constant"},
        "lag.time_constant is an array of n in s; a seed is a single whole number",
    ),
    "a seed that is not there": (
        {},
        {"seeds": "noise.sed"},
        "seeds: no parameter.*'noise.sed'; did you mean 'noise.seed'",
    ),
    "a seed that is a factor": (
        {"noise.seed": [1, 2]},
        {"seeds": "noise.seed"},
        "'noise.seed' is among the seeds and cannot be a factor as well",
    ),
    "seeds that are used again": (
        {"lag.time_constant": [0.1, 0.2]},
        {"seeds": {"noise.seed": [1, 2]}, "replicates": 2},
        "2 seeds would be used again and again for 4 members; .* or say Seeds.*common=True",
    ),
    "a seed twice": (
        {},
        {"seeds": {"noise.seed": [1, 2, 1]}, "replicates": 3},
        "the seed 1 is given to members 0 and 2, which would be equal",
    ),
    "too few seeds": (
        {},
        {"seeds": {"noise.seed": [1, 2]}, "replicates": 3},
        "needs 3 seeds, one for each member, not 2",
    ),
    "a common seed twice": (
        {},
        {"seeds": Seeds(common=True, values={"noise.seed": [4, 4]}), "replicates": 2},
        "given to replicates 0 and 1",
    ),
    "a seed out of range": ({}, {"seeds": {"noise.seed": [-1]}}, "seeds: noise.seed must be ≥ 0"),
    "no samples": ({}, {"replicates": 0}, "replicates must be a whole number ≥ 1, not 0"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_designs(name: str) -> None:
    factors, how, message = BAD[name]
    diagram = noise() if "noise" in repr((factors, how)) or ("lag" not in repr(factors) and not factors) else lag()
    inputs = {"u": 1.0} if diagram.input_ports else {}
    with pytest.raises(StudyError, match=message):
        Study(diagram, factors, METRICS, end=1.0, inputs=inputs, **how)


def test_a_design_needs_samples() -> None:
    with pytest.raises(StudyError, match=r"Sobol needs a whole number of samples ≥ 1, not 0"):
        Sobol(0)
