"""From hydrodynamic data to a vessel, and its motions in waves against the frequency domain."""

import numpy as np
import pytest
import xarray as xr

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import SeakeepingVessel
from blocks.environment import RegularWave, WaveForceRAO
from blocks.hydro.dofs import DOFS
from blocks.hydro.errors import HydroError
from blocks.hydro.memory import Memory
from blocks.hydro.seakeeping import in_body_axes, vessel_parameters

MASS, LENGTH, BREADTH = 8e6, 80.0, 16.0
HULL = Memory(
    frequencies=np.array([0.55, 0.9, 0.7, 1.1]),
    damping=np.array([[0.7, 0.2, 0, 0], [0.2, 0.9, 0, 0], [0, 0, 0.8, -0.1], [0, 0, -0.1, 1.0]]),
    coupling=np.array(
        [[100, 0, 1900, 0, 5e3, 0], [200, 0, -600, 0, 4e4, 0], [0, 1300, 0, -3e3, 0, 6e3], [0, 800, 0, -2e3, 0, 2e4]]
    ),
    infinite_added_mass=np.diag([4e5, 3e6, 6e6, 4e7, 2e9, 1e9]),
)
OMEGA = np.linspace(0.15, 2.5, 36)


def data(**changes: object) -> xr.Dataset:
    """Of a ship of 80 m whose radiation is known in closed form, with names as Capytaine has them."""
    omega = np.r_[OMEGA, np.inf]
    pair = ("influenced_dof", "radiating_dof")
    stiffness = np.diag([0.0, 0, 1.0e7, 9e7, 4.5e9, 0])
    stiffness[2, 4] = stiffness[4, 2] = 1.5e7
    variables = {
        "added_mass": (("omega", *pair), HULL.added_mass(omega)),
        "radiation_damping": (
            ("omega", *pair),
            np.concatenate([HULL.radiation_damping(OMEGA), np.zeros((1, 6, 6))]),
        ),
        "inertia_matrix": (pair, np.diag([MASS] * 3 + [MASS * 36.0, MASS * 400.0, MASS * 400.0])),
        "hydrostatic_stiffness": (pair, stiffness),
    }
    dataset = xr.Dataset(variables, {"omega": omega, "influenced_dof": list(DOFS), "radiating_dof": list(DOFS)})
    return dataset.assign(**changes)  # type: ignore[arg-type]


def test_motions_in_waves_are_those_of_the_frequency_domain() -> None:
    # Time domain: data -> fit -> vessel -> table of loads -> regular waves -> amplitude of heave, roll and pitch.
    # Frequency domain: [-ω²(M + A) - iω (B + D) + C] ξ = F, from the data themselves.
    dataset = data()
    model = vessel_parameters(dataset, roll_damping_ratio=0.05)
    vessel = SeakeepingVessel(**model.parameters)
    frequencies = np.array([0.3, 0.5, 0.7, 0.85, 1.0, 1.3, 1.8])
    headings = np.array([0.0, np.pi / 2.0, np.pi])
    load = np.zeros((6, len(frequencies), 3), dtype=complex)
    load[2] = 5e6 * np.exp(-frequencies)[:, None] * np.array([1.0, 1.4, 1.0])
    load[4] = 1e8 * frequencies[:, None] * np.array([-1j, 0.2, 1j])
    load[1, :, 1], load[3, :, 1] = 3e6j * frequencies, 9e6j * frequencies
    table = {
        "frequencies": frequencies, "headings": headings, "amplitude": np.abs(load), "phase": np.angle(load),
    }  # fmt: skip
    for k, w in enumerate(frequencies):
        for heading in (1, 2):
            expected = _frequency_domain(dataset, vessel.linear_damping, w, load[:, k, heading])
            found = _time_domain(vessel, table, w, headings[heading])
            for dof in (2, 3, 4):
                if np.abs(expected[dof]) > 1e-6:
                    assert np.abs(found[dof]) == pytest.approx(np.abs(expected[dof]), rel=2e-3)
                if np.abs(expected[dof]) > 1e-6 and heading == 2:  # beam seas carry it off, and so change phases
                    assert found[dof] == pytest.approx(expected[dof], rel=2e-3)


def _frequency_domain(dataset: xr.Dataset, damping: np.ndarray, w: float, load: np.ndarray) -> np.ndarray:
    response = HULL.response(w)[0]
    mass = dataset["inertia_matrix"].values + HULL.infinite_added_mass
    stiffness = dataset["hydrostatic_stiffness"].values
    return np.linalg.solve(-(w**2) * mass - 1j * w * (np.conj(response) + damping) + stiffness, load)


def _time_domain(vessel: SeakeepingVessel, table: dict[str, np.ndarray], w: float, heading: float) -> np.ndarray:
    """Complex amplitudes per metre, of Re(ξ a e^{-iωt}), from the last four periods of a run in waves of 1 mm."""
    amplitude, period = 1e-3, 2.0 * np.pi / w
    diagram = Diagram()
    wave = diagram.add("wave", RegularWave(amplitude, period, heading))
    force = diagram.add("load", WaveForceRAO(**table))
    none = diagram.add("force", Constant(np.zeros(6)))
    ship = diagram.add("vessel", vessel.copy())
    diagram.connect(wave.waves, force.waves)
    diagram.connect(ship.eta, force.eta)
    diagram.connect(force.disturbance, ship.disturbance)
    diagram.connect(none.y, ship.force)
    step = period / 64.0
    run = simulate(diagram, end=round(260.0 / period) * period, step=step, record="vessel.eta")
    last = run.values("vessel.eta")[-257:-1]
    return 2.0 / 256.0 * np.exp(1j * w * run.time[-257:-1]) @ last / amplitude


def test_what_a_speed_changed_is_taken_out_of_the_data() -> None:
    speed = 5.0
    added, damping = HULL.added_mass(OMEGA), HULL.radiation_damping(OMEGA)
    moving = in_body_axes(OMEGA, damping + 1j * OMEGA[:, None, None] * added, -speed)
    assert moving[10, 2, 4].real == pytest.approx(damping[10, 2, 4] + speed * added[10, 2, 2])
    waves = data().isel(omega=slice(0, -1))
    at_speed = waves.assign(
        added_mass=waves["added_mass"].copy(data=moving.imag / OMEGA[:, None, None]),
        radiation_damping=waves["radiation_damping"].copy(data=moving.real),
        forward_speed=speed,
    )
    found, rest = vessel_parameters(at_speed), vessel_parameters(waves)
    assert found.parameters["initial_nu"][0] == speed
    assert rest.parameters["initial_nu"][0] == 0.0
    scale = np.sqrt(np.einsum("kii->ki", damping).max(axis=0))
    apart = found.fit.memory.response(OMEGA) - rest.fit.memory.response(OMEGA)
    assert np.abs(apart / np.outer(scale, scale)).max() < 1e-4


def test_viscosity_by_time_constants_and_by_a_share_of_critical_damping() -> None:
    model = vessel_parameters(data(), roll_damping_ratio=0.05, time_constants=[150.0, 100.0, np.inf])
    damping = model.parameters["linear_damping"]
    at_rest = HULL.added_mass(0.0)[0]
    assert damping[0, 0] == pytest.approx((MASS + at_rest[0, 0]) / 150.0, rel=0.01)
    assert damping[1, 1] == pytest.approx((MASS + at_rest[1, 1]) / 100.0, rel=0.01)
    assert damping[5, 5] == 0.0
    w = model.natural_frequencies["Roll"]
    mass = MASS * 36.0 + HULL.added_mass(w)[0, 3, 3]
    assert w == pytest.approx(np.sqrt(9e7 / mass), rel=1e-3)
    assert damping[3, 3] == pytest.approx(2.0 * 0.05 * np.sqrt(mass * 9e7), rel=1e-3)
    assert model.text().startswith("natural periods, uncoupled: Heave")


@pytest.mark.parametrize(
    ("dataset", "keywords", "message"),
    [
        (data().drop_vars("inertia_matrix"), {}, "needs inertia_matrix, which the data do not have; they have added_"),
        (data().isel(radiating_dof=slice(0, 5)), {}, "added_mass has no radiating_dof Yaw; all of Surge, Sway"),
        (
            data().expand_dims(water_depth=[10.0, 20.0]),
            {},
            "varies over water_depth too: choose one, as by dataset.isel",
        ),
        (data(), {"time_constants": [1.0, 2.0]}, "must be three times above 0 s, of surge, sway, yaw"),
        (
            data(hydrostatic_stiffness=data()["hydrostatic_stiffness"] * 0.0),
            {"roll_damping_ratio": 0.1},
            "does not come",
        ),
    ],
)
def test_data_and_wishes_that_will_not_do(dataset: xr.Dataset, keywords: dict[str, object], message: str) -> None:
    with pytest.raises(HydroError, match=message):
        vessel_parameters(dataset, **keywords)  # type: ignore[arg-type]
