"""CasADi opens FMUs by `DaeBuilder`: values are those of the engine, derivatives those of the equations.

FMI 2 as it is exported, FMI 3 without arrays and clocks.
"""

from __future__ import annotations

import fmpy
import numpy as np
import pytest

import fmu
from blocks import Diagram, simulate
from blocks.basic import Formula, Gain, Integrator, ZeroOrderHold
from blocks.dynamics import Vessel3DOF
from blocks.lab.analysis import linearize
from blocks.thrust import DifferentialThrust

casadi = pytest.importorskip("casadi", reason="needs casadi: pip install 'keelblocks[mpc]'")

SETTINGS = {"2": {}, "3": {"fmi": "3.0", "arrays": False, "clocks": False}}
ETA, NU = [3.0, -2.0, 0.0, 0.0, 0.0, 0.7], [1.1, -0.2, 0.0, 0.0, 0.0, 0.3]
COMMAND, CURRENT = [70.0, 20.0], [0.1, 0.3, 0.0]
STATE, INPUT = np.r_[ETA, NU], np.r_[COMMAND, CURRENT]


def van_der_pol():
    """The model of the Reference FMU with which CasADi's own tests check `DaeBuilder`."""
    return Formula(
        {"y": "x0"},
        parameters={"mu": 1.0, "initial_x0": 2.0},
        states={"x0": "x1", "x1": "mu*(1 - x0**2)*x1 - x0"},
    )


def otter(**start):
    """The plant of `examples/mpc_otter.py`."""
    made = Diagram("otter")
    thrusters = made.add("thrusters", DifferentialThrust.from_vehicle("otter"))
    vessel = made.add("vessel", Vessel3DOF.from_vehicle("otter", **start))
    made.connect(thrusters.force, vessel.force)
    made.connect(vessel.nu_r, thrusters.nu_r)
    made.inputs(command=thrusters.command, current=vessel.current)
    made.outputs(eta=vessel.eta, nu=vessel.nu, power=thrusters.power)
    return made


@pytest.fixture(params=SETTINGS)
def build(request, tmp_path):
    """What makes the `DaeBuilder` of a model, exported in one version of FMI."""

    def made(model, *, unpack=False):
        path = fmu.export(model, tmp_path / "model.fmu", step=0.05, **SETTINGS[request.param])
        if unpack:
            path = fmpy.extract(str(path), str(tmp_path / "unpacked"))
        return casadi.DaeBuilder("model", str(path))

    return made


def test_the_reference_oscillator_as_casadi_tests_it(build):
    """Its value, Jacobian, one forward and one adjoint derivative, against those of the equation by CasADi."""
    dae = build(van_der_pol())
    assert dae.x() == ["x0", "x1"]
    found = dae.create("found", ["x"], ["ode"])
    x = casadi.SX.sym("x", 2)
    true = casadi.Function("true", [x], [casadi.vertcat(x[1], (1 - x[0] ** 2) * x[1] - x[0])])
    at, seed = np.array([1.1, 1.3]), np.array([0.3, -0.7])
    for one, other in (
        (found(at), true(at)),
        (found.jacobian()(at, 0), true.jacobian()(at, 0)),
        (found.forward(1)(at, 0, seed), true.forward(1)(at, 0, seed)),
        (found.reverse(1)(at, 0, seed), true.reverse(1)(at, 0, seed)),
    ):
        np.testing.assert_allclose(np.array(one), np.array(other), rtol=1e-11, atol=1e-11)
    assert found.jac_sparsity(0, 0).nnz() == 3  # der(x0) does not depend on x0


def test_second_derivatives_are_differences_of_casadi(build):
    found = build(van_der_pol()).create("found", ["x"], ["ode"])
    x = casadi.MX.sym("x", 2)
    hessian = casadi.Function("hessian", [x], [casadi.hessian(casadi.sum1(found(x)), x)[0]])
    np.testing.assert_allclose(np.array(hessian([1.1, 1.3])), [[-2.6, -2.2], [-2.2, 0.0]], atol=1e-5)


def test_values_and_jacobians_of_a_vessel_are_those_of_the_engine(build):
    dae = build(otter())
    rates = dae.create("rates", ["x", "u"], ["ode", "y"])
    ode, y = (np.array(value).ravel() for value in rates(STATE, INPUT))
    diagram, inputs = otter(initial_eta=ETA, initial_nu=NU), {"command": COMMAND, "current": CURRENT}
    system = linearize(diagram, given=inputs, inputs=list(inputs), outputs=["vessel.nu", "thrusters.power"])
    a, b, c, d = (np.array(part) for part in rates.jacobian()(STATE, INPUT, 0, 0))
    np.testing.assert_allclose(a, system.A, atol=1e-12 * np.abs(a).max())
    np.testing.assert_allclose(b, system.B, atol=1e-12 * np.abs(b).max())
    assert dae.y()[6:] == [*(f"nu[{i}]" for i in range(1, 7)), "power[1]", "power[2]"]
    np.testing.assert_allclose(c[6:], system.C, atol=1e-12 * np.abs(c).max())
    np.testing.assert_allclose(d[6:], system.D, atol=1e-12 * np.abs(d).max())
    run = simulate(diagram, 0.1, step=0.05, inputs=inputs)
    np.testing.assert_array_equal(y, [*ETA, *NU, *run.values("thrusters.power")[0]])
    np.testing.assert_array_equal(ode[6:], run.values("vessel.acceleration")[0])


def equations(x, u):
    """The Otter of the example written down again, for CasADi's own differentiation."""
    vessel = Vessel3DOF.from_vehicle("otter")
    psi, nu = x[5], casadi.vertcat(x[6], x[7], x[11])
    rotation = casadi.vertcat(
        casadi.horzcat(casadi.cos(psi), -casadi.sin(psi), 0),
        casadi.horzcat(casadi.sin(psi), casadi.cos(psi), 0),
        casadi.horzcat(0, 0, 1),
    )
    flow = casadi.mtimes(rotation.T, casadi.vertcat(u[2], u[3], 0))
    through = nu - flow
    m, xg = float(vessel.mass), float(vessel.centre_of_gravity[0])
    rigid = np.array([[m, 0, 0], [0, m, m * xg], [0, m * xg, float(vessel.yaw_inertia)]])
    added = np.array(vessel.added_mass)

    def coriolis(mass, velocity):
        a = casadi.mtimes(mass, velocity)
        u, v, r = velocity[0], velocity[1], velocity[2]
        return casadi.vertcat(-r * a[1], r * a[0], u * a[1] - v * a[0])

    r = nu[2]
    turning = casadi.vertcat(r * flow[1], -r * flow[0], 0)
    damping = casadi.mtimes(np.array(vessel.linear_damping), through)
    damping[2] += float(vessel.nonlinear_damping[9]) * casadi.fabs(r) * r
    spacing = 0.79
    thrust = casadi.vertcat(u[0] + u[1], 0, spacing / 2 * (u[0] - u[1]))
    force = thrust - coriolis(rigid, nu) - coriolis(added, through) + casadi.mtimes(added, turning) - damping
    rate, motion = casadi.solve(rigid + added, force), casadi.mtimes(rotation, nu)
    zero = casadi.SX(0)
    return casadi.vertcat(motion[0], motion[1], zero, zero, zero, r, rate[0], rate[1], zero, zero, zero, rate[2])


def test_derivatives_are_exact_to_rounding(build):
    """Against algorithmic differentiation of the equations, which knows of no step."""
    rates = build(otter()).create("rates", ["x", "u"], ["ode"])
    x, u = casadi.SX.sym("x", 12), casadi.SX.sym("u", 5)
    true = casadi.Function("true", [x, u], [equations(x, u)])
    np.testing.assert_allclose(np.array(rates(STATE, INPUT)), np.array(true(STATE, INPUT)), rtol=1e-13, atol=1e-14)
    for one, other in zip(rates.jacobian()(STATE, INPUT, 0), true.jacobian()(STATE, INPUT, 0), strict=True):
        one, other = np.array(one), np.array(other)
        assert np.abs(one - other).max() < 1e-12 * np.abs(other).max()


def test_parameters_are_set_before_and_derivatives_by_them_are_taken_there(build):
    """In continuous-time mode, in which CasADi stays, FMI allows no parameter to be set: not to another value."""
    dae = build(otter())
    dae.set("vessel.mass", 60.0)
    rates = dae.create("rates", ["x", "u", "p"], ["ode"])
    names = dae.p()
    values = np.array(dae.start(names))
    values[names.index("vessel.mass")] = 60.0
    ode, slope = np.array(rates(STATE, INPUT, values)), np.array(rates.jacobian()(STATE, INPUT, values, 0)[2])

    def surge(mass):
        run = simulate(
            otter(initial_eta=ETA, initial_nu=NU, mass=mass), 0.1, step=0.05,
            inputs={"command": COMMAND, "current": CURRENT},
        )  # fmt: skip
        return run.values("vessel.acceleration")[0, 0]

    assert ode[6, 0] == surge(60.0)
    assert slope[6, names.index("vessel.mass")] == pytest.approx((surge(60.01) - surge(59.99)) / 0.02, rel=1e-7)
    with pytest.raises(RuntimeError, match="Evaluation failed"):
        rates(STATE, INPUT, values * 1.01)


def test_a_folder_does_as_well_and_threads_have_instances_of_their_own(build):
    rates = build(otter(), unpack=True).create("rates", ["x", "u"], ["ode"])
    states = np.tile(STATE[:, None], 8) + 0.01 * np.arange(8)
    together = np.array(rates.map(8, "thread", 2)(states, np.tile(INPUT[:, None], 8)))
    alone = np.column_stack([np.array(rates(x, INPUT)) for x in states.T])
    np.testing.assert_array_equal(together, alone)


def test_a_point_without_values_does_not_end_the_fmu(build, capfd):
    """Solvers try such points and go on from others."""
    rates = build(otter()).create("rates", ["x", "u"], ["ode"])
    true = np.array(rates(STATE, INPUT))
    with pytest.raises(RuntimeError, match="Evaluation failed"):
        rates(np.r_[STATE[:11], 1e200], INPUT)
    assert "is not a finite number at t =" in capfd.readouterr().out
    np.testing.assert_array_equal(np.array(rates(STATE, INPUT)), true)


def test_samples_are_held(build):
    made = Diagram("sampled")
    gain, held = made.add("gain", Gain(2.0)), made.add("held", ZeroOrderHold(period=0.1))
    state = made.add("state", Integrator())
    made.connect(gain.y, held.u)
    made.connect(held.y, state.u)
    made.inputs(u=gain.u)
    made.outputs(y=gain.y, held=held.y)
    function = build(made).create("function", ["x", "u"], ["ode", "y"])
    for value in (1.0, 3.0, 1.0):
        ode, y = function([0.0], [value])
        np.testing.assert_array_equal([float(ode), *np.array(y).ravel()], [0.0, 2.0 * value, 0.0])
