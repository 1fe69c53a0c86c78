"""Added mass against what is known exactly: spheroids, Lewis sections, strips."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError
from blocks.estimates import (
    EstimateWarning,
    LewisSection,
    frame_added_mass,
    share_of_open_frame,
    spheroid_added_mass,
    spheroid_factors,
    strip_added_mass,
    surge_added_mass,
)


def test_a_spheroid_lies_between_the_sphere_and_the_needle() -> None:
    assert spheroid_factors(1.0, 1.0) == pytest.approx((0.5, 0.5, 0.0), abs=1e-15)
    slim = spheroid_factors(1e4, 1.0)
    assert slim == pytest.approx((0.0, 1.0, 1.0), abs=1e-6)


@pytest.mark.parametrize("slimness", [1.0001, 1.02, 1.04, 1.05, 1.5, 2.0, 5.0, 20.0])
def test_its_factors_are_lambs_integrals(slimness: float) -> None:
    """α = a b² ∫ dλ/((a² + λ) Δ), likewise β, by quadrature: Lamb (1932), art. 114."""
    a, b = slimness, 1.0

    def over(other: float) -> float:
        found, _ = quad(
            lambda t: 2.0 * t / ((other * other + t * t) * math.sqrt(a * a + t * t) * (b * b + t * t)), 0.0, np.inf,
            epsabs=0.0, epsrel=1e-11,
        )  # fmt: skip
        return a * b * b * found

    alpha, beta = over(a), over(b)
    k_1, k_2, k = spheroid_factors(a, b)
    assert (k_1, k_2) == pytest.approx((alpha / (2.0 - alpha), beta / (2.0 - beta)), rel=1e-8)
    apart, sum_2 = a * a - b * b, a * a + b * b
    turning = apart * apart * (beta - alpha) / (sum_2 * (2.0 * apart + sum_2 * (alpha - beta)))  # art. 115
    assert k == pytest.approx(turning, rel=1e-5, abs=1e-9)


def test_a_spheroid_has_the_added_mass_of_lambs_table() -> None:
    """Lamb (1932), art. 114 and 373: length over thickness 2 and 5, to three digits."""
    assert spheroid_factors(2.0, 1.0) == pytest.approx((0.209, 0.702, 0.240), abs=3e-3)
    assert spheroid_factors(5.01, 1.0) == pytest.approx((0.059, 0.895, 0.701), abs=2e-3)


def test_centrifugal_forces_of_a_spheroid_are_imlays() -> None:
    """X = Z_ẇ w q - Y_v̇ v r and so on, Imlay (1961) for a body of revolution, with the signs of derivatives."""
    added = spheroid_added_mass(1.6, 0.19)
    x_u, y_v, z_w, _, m_q, n_r = -np.diag(added)
    k_p = -0.1  # for the sake of its terms
    u, v, w, p, q, r = nu = np.array([1.5, 0.2, -0.1, 0.3, 0.1, -0.25])
    vessel = Vessel6DOF(rigid_body_inertia=1e-9 * np.eye(6), added_mass=added + np.diag([0, 0, 0, -k_p, 0, 0]))
    found = -np.asarray(vessel.evaluate(states={"nu": nu}).outputs["coriolis_force"])
    expected = [
        z_w * w * q - y_v * v * r,
        x_u * u * r - z_w * w * p,
        y_v * v * p - x_u * u * q,
        (z_w - y_v) * v * w + (n_r - m_q) * q * r,
        (x_u - z_w) * u * w + (k_p - n_r) * r * p,
        (y_v - x_u) * u * v + (m_q - k_p) * p * q,
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)
    assert found @ nu == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize(("breadth", "draught"), [(2.0, 1.0), (4.0, 1.0), (1.0, 3.0)])
def test_half_an_ellipse_is_a_lewis_form(breadth: float, draught: float) -> None:
    """Sway ½πρT², heave ½πρ(B/2)², roll πρ((B/2)² - T²)²/16: Newman (1977), table 4.3. A semicircle among them."""
    half = 0.5 * breadth
    sway, heave, roll = LewisSection(breadth, draught, math.pi / 4.0).added_mass(1000.0)
    assert sway == pytest.approx(500.0 * math.pi * draught**2, rel=1e-12)
    assert heave == pytest.approx(500.0 * math.pi * half**2, rel=1e-12)
    assert roll == pytest.approx(1000.0 * math.pi * (half**2 - draught**2) ** 2 / 16.0, rel=1e-12, abs=1e-9)


def test_thin_sections_are_flat_plates() -> None:
    """A plate on edge: ½πρT² in sway and πρT⁴/16 in roll; one on the water: ½πρ(B/2)² and πρ(B/2)⁴/16."""
    sway, heave, roll = LewisSection(1e-4, 2.0, math.pi / 4.0).added_mass(1.0)
    assert (sway, roll) == pytest.approx((0.5 * math.pi * 4.0, math.pi * 16.0 / 16.0), rel=1e-3)
    assert heave < 1e-6
    sway, heave, roll = LewisSection(2.0, 1e-5, math.pi / 4.0).added_mass(1.0)
    assert (heave, roll) == pytest.approx((0.5 * math.pi, math.pi / 16.0), rel=1e-3)
    assert sway < 1e-8


@pytest.mark.parametrize("full", [0.6, 0.85, 0.95, 1.05])
def test_a_lewis_form_has_the_breadth_draught_area_and_kinetic_energy_that_it_says(full: float) -> None:
    """Its outline is drawn, its area measured, and roll is found again from φ dψ along it, by sums."""
    section = LewisSection(3.0, 1.2, full)
    size, a_1, a_3 = section.form()
    angle = np.linspace(0.0, 2.0 * np.pi, 4001)
    zeta = np.exp(1j * angle)
    z = size * (zeta + a_1 / zeta + a_3 / zeta**3)
    assert z[0] == pytest.approx(1.5, rel=1e-12)  # at the waterline; full sections bulge below it
    assert z[1000] == pytest.approx(1.2j, rel=1e-12)
    area = 0.5 * np.sum(z.real[:-1] * np.diff(z.imag) - z.imag[:-1] * np.diff(z.real))
    assert 0.5 * area / (3.0 * 1.2) == pytest.approx(full, rel=1e-5)
    psi = 0.5 * np.abs(z) ** 2  # of a body that turns at 1 rad/s; its conjugate is φ, found by Fourier
    terms = np.fft.rfft(psi[:-1]) / 4000.0
    phi = np.fft.irfft(-1j * terms * 4000.0, 4000)
    energy = abs(np.sum(phi * np.gradient(psi[:-1], angle[1]))) * angle[1]
    assert 0.5 * energy == pytest.approx(section.added_mass(1.0)[2], rel=1e-3)


def test_strips_converge_to_half_a_spheroid_without_its_ends() -> None:
    """Of a slender hull of semicircles strips give ½ m in sway and m² moments; at 10 to 1, k_2 is 0.96 of that."""
    length, radius = 20.0, 1.0
    errors = []
    exact = 1000.0 * math.pi / 2.0 * radius**2 * length * 2.0 / 3.0  # ∫ ½πρ r(x)² dx
    for count in (11, 21, 41):
        x = np.linspace(-10.0, 10.0, count)
        r = radius * np.sqrt(np.clip(1.0 - (x / 10.0) ** 2, 0.0, None))
        found = strip_added_mass(list(x), list(2.0 * r), list(r), [math.pi / 4.0] * count, density=1000.0)
        errors.append(abs(found[1, 1] - exact) / exact)
        assert found[1, 1] == pytest.approx(found[2, 2])
        assert found[1, 5] == pytest.approx(0.0, abs=1e-8 * exact)
    assert errors[-1] < 1e-3
    assert np.all(np.diff(np.log2(errors)) < -1.9)
    whole = 0.5 * spheroid_added_mass(length, 2.0 * radius, 1000.0)
    assert whole[1, 1] / exact == pytest.approx(spheroid_factors(10.0, 1.0)[1])
    assert 0.85 < whole[5, 5] / found[5, 5] < 1.0


def test_strips_off_the_origin_couple() -> None:
    x = np.linspace(0.0, 10.0, 5)
    found = strip_added_mass(list(x), [1.0] * 5, [0.5] * 5, [0.9] * 5, surge=3.0)
    np.testing.assert_array_equal(found, found.T)
    assert found[0, 0] == 3.0
    assert found[1, 5] == pytest.approx(5.0 * found[1, 1])
    assert found[2, 4] == pytest.approx(-5.0 * found[2, 2])


def test_boxes_at_their_published_points() -> None:
    assert frame_added_mass(1.0, 1.0, 1.0, 1000.0) == pytest.approx(680.0)  # a cube
    assert share_of_open_frame(1.0) == 1.0
    assert share_of_open_frame(0.2) == share_of_open_frame(0.5) == pytest.approx(np.exp(-40.0 / 28.0))
    assert share_of_open_frame(0.6595) == pytest.approx(share_of_open_frame(0.6605), rel=0.1)  # both laws meet at 34 %


def test_what_cannot_be_a_body_is_refused_and_what_is_extrapolated_warned_of() -> None:
    with pytest.raises(ParameterError, match="oblate; this is for length ≥ diameter"):
        spheroid_factors(1.0, 2.0)
    with pytest.raises(ParameterError, match=r"has an area coefficient from 0.368 to 1.19, not 1.5"):
        LewisSection(3.2, 1.2, 1.5)
    with pytest.raises(ParameterError, match="positions must increase, from aft to fore"):
        strip_added_mass([0.0, -1.0], [1.0, 1.0], [1.0, 1.0], [0.9, 0.9])
    with pytest.raises(ParameterError, match="two stations or more each, not of 2, 2, 2 and 1"):
        strip_added_mass([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.9])
    with pytest.raises(ParameterError, match="fill is the closed part of the sides, from 0 to 1, not 40"):
        share_of_open_frame(40.0)
    with pytest.warns(EstimateWarning, match="slenderness from 3.5 to 9, and here it is 2"):
        surge_added_mass(2.0, 1.0)
