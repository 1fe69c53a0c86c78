"""Noise: Philox bit for bit, the right distribution, independent streams, and the same numbers every time."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from scipy import stats

from blocks.basic import FirstOrderLag, GaussianNoise, UniformNoise, WhiteNoise
from blocks.diagram import Diagram
from blocks.errors import ParameterError
from blocks.simulation import simulate


def philox4x32(counter, key):
    """Salmon et al. (2011), sec. 4.3, in plain Python."""
    c, k, mask = list(counter), list(key), 0xFFFFFFFF
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(second >> 32) ^ c[1] ^ k[0], second & mask, (first >> 32) ^ c[3] ^ k[1], first & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def draw(block, count, name="noise", **settings):
    """The first samples of a noise block of that name, one row each."""
    diagram = Diagram()
    diagram.add(name, block)
    period = block.period
    return simulate(diagram, (count - 1) * period, step=period, **settings).values(f"{name}.y")


def test_reference_generator_gives_the_published_known_answers():
    # kat_vectors of the Random123 distribution, philox4x32 with 10 rounds
    assert philox4x32([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    digits_of_pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]
    assert philox4x32(*digits_of_pi) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_samples_are_those_of_philox(seed):
    samples = draw(UniformNoise(lower=[0.0, 0.0], upper=1.0, seed=seed, period=0.1), 5)
    for k, row in enumerate(samples):
        for i, value in enumerate(row):
            high, low, *_ = philox4x32([k, 0, i, 0], [seed, zlib.crc32(b"noise")])
            assert value == ((high >> 6) * 2**26 + (low >> 6) + 0.5) / 2**52


def test_gaussian_noise_is_normal():
    samples = draw(GaussianNoise(mean=[3.0, -1.0], standard_deviation=[2.0, 0.5], seed=1, period=0.1), 40_000)
    np.testing.assert_allclose(samples.mean(axis=0), [3.0, -1.0], atol=0.04)
    np.testing.assert_allclose(samples.std(axis=0), [2.0, 0.5], rtol=0.015)
    assert stats.kstest(samples[:, 0], stats.norm(3.0, 2.0).cdf).pvalue > 0.01
    assert stats.kstest(samples[:, 1], stats.norm(-1.0, 0.5).cdf).pvalue > 0.01


def test_uniform_noise_is_uniform():
    samples = draw(UniformNoise(lower=-2.0, upper=6.0, seed=2, period=0.1), 40_000).ravel()
    assert -2.0 < samples.min() < -1.99
    assert 5.99 < samples.max() < 6.0
    assert stats.kstest(samples, stats.uniform(-2.0, 8.0).cdf).pvalue > 0.01


def correlation(a, b):
    return abs(np.corrcoef(a, b)[0, 1])


def test_streams_are_independent():
    count = 20_000
    one = draw(GaussianNoise(mean=[0.0, 0.0], seed=5, period=0.1), count)
    other_seed = draw(GaussianNoise(mean=[0.0, 0.0], seed=6, period=0.1), count)
    other_name = draw(GaussianNoise(mean=[0.0, 0.0], seed=5, period=0.1), count, name="other")
    limit = 4.0 / np.sqrt(count)  # four standard deviations of the correlation of independent samples
    assert correlation(one[:, 0], one[:, 1]) < limit
    assert correlation(one[:, 0], other_seed[:, 0]) < limit
    assert correlation(one[:, 0], other_name[:, 0]) < limit
    for lag in (1, 2, 5):
        assert correlation(one[lag:, 0], one[:-lag, 0]) < limit
        assert correlation(one[lag:, 0] ** 2, one[:-lag, 0] ** 2) < limit


def test_the_same_seed_gives_the_same_numbers():
    block = GaussianNoise(seed=9, period=0.1)
    np.testing.assert_array_equal(draw(block, 100), draw(block.copy(), 100))


def test_a_run_that_starts_later_has_the_numbers_of_those_instants():
    diagram = Diagram()
    diagram.add("noise", GaussianNoise(seed=9, period=0.1))
    whole = simulate(diagram, 10.0, step=0.1).values("noise.y")
    part = simulate(diagram, 10.0, start=5.0, step=0.1).values("noise.y")
    np.testing.assert_array_equal(part, whole[50:])


def test_samples_are_held():
    diagram = Diagram()
    diagram.add("noise", UniformNoise(seed=1, period=0.5))
    samples = simulate(diagram, 2.0, step=0.1).values("noise.y").ravel()
    for k in range(4):
        assert len(set(samples[5 * k : 5 * k + 5])) == 1
    assert len(set(samples)) == 5


def test_the_solver_does_not_change_the_numbers():
    block = GaussianNoise(seed=3, period=0.1)
    np.testing.assert_array_equal(draw(block, 50, solver="rk4"), draw(block.copy(), 50, solver="dopri5"))


@pytest.mark.parametrize("period", [0.1, 0.4])
def test_white_noise_has_the_variance_of_its_spectral_density(period):
    samples = draw(WhiteNoise(spectral_density=0.02, seed=4, period=period), 40_000)
    assert samples.var() == pytest.approx(0.02 / period, rel=0.03)


def test_filtered_white_noise_does_not_depend_on_the_period():
    # 1/(T s + 1) turns white noise of two-sided density S into a process of variance S/(2 T); over 4000 time constants
    # the variance is known to about √(2/4000) = 2 %.
    for period in (0.05, 0.1):
        diagram = Diagram()
        diagram.add("noise", WhiteNoise(spectral_density=3.0, seed=8, period=period))
        diagram.add("lag", FirstOrderLag(1.0))
        diagram.connect("noise.y", "lag.u")
        y = simulate(diagram, 4000.0, step=0.05, solver="heun").values("lag.y")[1000:]
        assert y.var() == pytest.approx(1.5, rel=0.1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GaussianNoise(standard_deviation=-1.0, period=1.0), r"standard_deviation must be ≥ 0, not -1"),
        (lambda: UniformNoise(lower=2.0, upper=1.0, period=1.0), "lower must not exceed upper: 2 is above 1"),
        (lambda: WhiteNoise(seed=1.5, period=1.0), "seed must be a whole number, not 1.5"),
        (lambda: WhiteNoise(seed=-1, period=1.0), r"seed must be ≥ 0 and ≤ 4294967295"),
        (lambda: WhiteNoise(seed=1), "period is missing"),
    ],
)
def test_noise_says_what_is_wrong(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
