"""Operating points, linear systems and margins against what can be worked out by hand."""

import numpy as np
import pytest
from scipy import linalg
from servo import position_loop

from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Integrator, Product, Saturation, Sine, StateSpace, ZeroOrderHold
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import WiringError
from blocks.lab.analysis import AnalysisError, TrimError, linearize, margins, root_locus, trim
from blocks.thrust import PropellerThrusters

M = np.array([753.0, 762.0, 107.0])
D = np.array([175.0, 333.0, 45.0])
AT_REST = {"current": np.zeros(3), "disturbance": np.zeros(6)}


def vessel() -> Vessel3DOF:
    return Vessel3DOF.diagonal(m=M, d=D)


def test_a_linear_model_is_linearized_to_rounding() -> None:
    random = np.random.default_rng(1)
    A, B, C, E = (random.normal(size=shape) for shape in ((4, 4), (4, 2), (3, 4), (3, 2)))
    system = linearize(StateSpace(A, B, C, E), given={"u": [0.3, -2.0]})
    for found, given in ((system.A, A), (system.B, B), (system.C, C), (system.D, E)):
        assert found == pytest.approx(given, abs=2e-12)
    assert system.inputs == ("u[0]", "u[1]")
    assert not system.kinks


def test_a_vessel_at_a_speed_against_its_derivatives_by_hand() -> None:
    u, v, r = 1.2, 0.1, 0.05
    point = trim(vessel(), {"nu[u]": u, "nu[v]": v, "nu[r]": r, "eta[psi]": 0.3}, given=AT_REST)
    system = linearize(vessel(), point, inputs="force", outputs="nu")
    rows = [system.states.index(f"diagonal_vessel_3dof.nu[{name}]") for name in "uvr"]
    expected = np.array(
        [
            [-D[0] / M[0], M[1] / M[0] * r, M[1] / M[0] * v],
            [-M[0] / M[1] * r, -D[1] / M[1], -M[0] / M[1] * u],
            [(M[0] - M[1]) / M[2] * v, (M[0] - M[1]) / M[2] * u, -D[2] / M[2]],
        ]
    )
    assert system.A[np.ix_(rows, rows)] == pytest.approx(expected, abs=1e-10)
    east = system.states.index("diagonal_vessel_3dof.eta[y]")
    assert system.A[east, system.states.index("diagonal_vessel_3dof.eta[psi]")] == pytest.approx(
        u * np.cos(0.3) - v * np.sin(0.3), abs=1e-10
    )
    assert system.B[np.ix_(rows, [0, 1, 5])] == pytest.approx(np.diag(1.0 / M), abs=1e-14)


def test_quadratic_drag_at_rest_has_no_slope_and_no_kink() -> None:
    system = linearize(Vessel6DOF.from_vehicle("minerva"), given=AT_REST, inputs="force")
    surge = system.states.index("vessel_6dof.nu[u]")
    mass = 460.0 + 293.0
    linear = -system.A[surge, surge] * mass
    assert linear == pytest.approx(29.0, rel=1e-5)  # X_u of the vehicle's file; |u|u adds nothing at rest
    assert not system.kinks


def test_a_limit_at_the_point_is_told() -> None:
    chain = Diagram("chain")
    chain.add("limit", Saturation(-1.0, 1.0))
    chain.add("speed", Integrator())
    chain.connect("limit.y", "speed.u")
    chain.inputs(u="limit.u")
    inside, at, beyond = (linearize(chain, given={"u": value}) for value in (0.5, 1.0, 2.0))
    assert [one.B[0, 0] for one in (inside, at, beyond)] == pytest.approx([1.0, 0.5, 0.0], abs=1e-9)
    assert (inside.kinks, beyond.kinks) == ((), ())
    assert at.kinks == (("d/dt speed.x", "u"),)


def test_thrust_that_meets_drag_is_found() -> None:
    point = trim(vessel(), {"nu[u]": "2 kn"}, given=AT_REST)
    speed = 2.0 * 1852.0 / 3600.0
    assert point["force"] == pytest.approx([D[0] * speed, 0, 0, 0, 0, 0], abs=1e-8)
    assert point.rates["diagonal_vessel_3dof.eta"][0] == pytest.approx(speed)
    assert simulate(vessel(), 50, step=0.1, inputs={**AT_REST, "force": point["force"]}).values(
        "diagonal_vessel_3dof.nu"
    )[-1, 0] == pytest.approx(speed, rel=1e-4)


def test_a_current_from_abeam_gives_the_drift_angle() -> None:
    """Held on a heading across a current of 0.4 m/s, at 1 m/s through the water, a vessel goes where both take it."""
    point = trim(
        vessel(),
        {"nu_r[u]": 1.0, "nu_r[v]": 0.0, "eta[psi]": 0.0, "nu[r]": 0.0},
        given={**AT_REST, "current": [0, 0.4, 0]},
    )
    assert point.rates["diagonal_vessel_3dof.eta"][:2] == pytest.approx([1.0, 0.4], abs=1e-9)


def test_thrusters_that_start_at_rest_are_found() -> None:
    """Thrust with n|n| has no slope at rest, from which no way leads on."""
    craft = Diagram("craft")
    craft.add("thrusters", PropellerThrusters.from_vehicle("minerva"))
    craft.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    craft.connect("thrusters.force", "vessel.force")
    craft.connect("vessel.nu_r", "thrusters.nu_r")
    craft.inputs(command="thrusters.command")
    point = trim(craft, {"vessel.nu[u]": 0.5, "vessel.nu[v]": 0.0, "vessel.eta[psi]": 0.0})
    run = simulate(craft, 5, step=0.05, inputs={"command": point["command"]}, record="vessel.nu")
    assert run.status == "end"
    assert point["vessel.nu"][:2] == pytest.approx([0.5, 0.0], abs=1e-8)
    assert np.abs(point["thrusters.force"][0]) > 50.0


def test_the_gain_margin_and_where_it_is() -> None:
    """6/(s (s + 1) (s + 2)) is at the limit: phase crossover at √2 rad/s, where |L| = K/6."""
    found = margins(linearize(position_loop(2.0), opened="error.y"))
    assert found.gain == pytest.approx(3.0, rel=1e-4)
    assert found.gain_at == pytest.approx(np.sqrt(2.0), rel=1e-4)
    at = found.phase_at
    assert at is not None
    assert 2.0 / abs(1j * at * (1j * at + 1) * (1j * at + 2)) == pytest.approx(1.0, rel=1e-4)
    phase = np.pi - np.pi / 2 - np.arctan(at) - np.arctan(at / 2)
    assert found.phase == pytest.approx(phase, rel=1e-3)
    assert found.delay == pytest.approx(phase / at, rel=1e-3)


def test_the_root_locus_crosses_where_the_margin_says() -> None:
    locus = root_locus(position_loop(), "gain.gain", np.linspace(1.0, 12.0, 45))
    assert locus.crossings == pytest.approx([6.0, 6.0][: len(locus.crossings)], abs=1e-3)
    assert len(locus.crossings) == 1
    assert np.abs(np.diff(locus.eigenvalues, axis=0)).max() < 0.5  # columns go on from one row to the next


def test_modes_name_their_states() -> None:
    modes = linearize(position_loop(0.0)).modes()
    assert dict(zip(modes["real"].round(6), modes["states"], strict=True)) == {
        0.0: "position.x", -1.0: "first.x", -2.0: "second.x",
    }  # fmt: skip
    chain = linearize(vessel(), given=AT_REST).modes()
    assert int(chain["times"].iloc[0]) == 9  # pose, and the velocities of heave, roll and pitch, which are at rest


@pytest.mark.parametrize(
    ("real", "imag"), [(-0.6, 0.8), (-0.1, 2.0), (0.0, 3.0), (0.6, 0.8), (0.2, 0.1), (-2.0, 0.0), (0.5, 0.0)]
)
def test_modes_of_known_eigenvalues(real: float, imag: float) -> None:
    """ω² = σ² + ω_d², ζ = -σ/ω and T = -1/σ, of what dies out, stays and grows: what grows has a negative ζ."""
    matrix = np.array([[real, imag], [-imag, real]]) if imag else np.array([[real]])
    size = len(matrix)
    block = StateSpace(matrix, np.ones((size, 1)), np.ones((1, size)), [[0.0]])
    (mode,) = linearize(block).modes().to_dict("records")
    frequency = np.hypot(real, imag)
    assert (mode["real"], mode["imag"]) == pytest.approx((real, imag), abs=1e-9)
    assert (mode["frequency"], mode["damping"]) == pytest.approx((frequency, -real / frequency), abs=1e-9)
    assert mode["time_constant"] == pytest.approx(-1.0 / real if real < 0.0 else np.inf)
    assert linearize(block).stable == (real < 0.0)


def test_a_closed_loop_is_the_opened_one_closed_again() -> None:
    loop = position_loop(2.5)
    opened, closed = linearize(loop, opened="error.y", inputs="error.y", outputs="error.y"), linearize(loop)
    again = opened.A + opened.B @ opened.C
    assert np.sort_complex(linalg.eigvals(again)) == pytest.approx(np.sort_complex(closed.eigenvalues), abs=1e-9)
    omega = np.array([0.1, 1.0, 3.0])
    s = 1j * omega
    assert closed.frequency_response(omega)[:, 0, 0] == pytest.approx(2.5 / (s * (s + 1) * (s + 2) + 2.5), rel=1e-9)
    assert closed.to_control().poles() == pytest.approx(closed.to_control().poles())


def test_at_a_time_is_where_the_run_is() -> None:
    loop = position_loop(1.0)
    run = simulate(loop, 3.0, step=0.01, inputs={"reference": 1.0})
    system = linearize(loop, "3 s", given={"reference": 1.0}, step=0.01)
    assert system.point["y"] == run.values("position.y")[-1]
    assert system.point.time == pytest.approx(3.0)


def test_a_parameter_is_an_input_too() -> None:
    system = linearize(position_loop(2.0), "1 s", given={"reference": 1.0}, inputs="gain.gain")
    assert system.B[system.states.index("first.x"), 0] == pytest.approx(float(system.point["error.y"]), rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: linearize(vessel(), given=AT_REST, inputs="forces"),
            "no input or parameter 'forces'; did you mean 'force'",
        ),
        (
            lambda: linearize(vessel(), given=AT_REST, outputs="nu[x]"),
            r"nu has no element 'x'; valid: p, q, r, u, v, w",
        ),
        (lambda: linearize(position_loop(), inputs="gain.y"), r"'gain.y' is an output: .* opened=\['gain.y'\]"),
        (lambda: linearize(vessel(), given={"curent": 0}), "no input 'curent'; did you mean 'current'"),
        (lambda: linearize(vessel(), given={"current": [1, 2]}), "'current'.* 3"),
        (lambda: margins(linearize(vessel(), given=AT_REST)), r"margins are defined for one loop, .* system.select\("),
        (lambda: linearize(position_loop()).select("refernce"), "no input 'refernce'; did you mean 'reference'"),
        (lambda: trim(vessel(), {"nu": 1.0}, given=AT_REST), r"'nu' has 6 elements; name one of them: nu\[u\]"),
        (
            lambda: trim(vessel(), {"nu[u]": "2 kg"}, given=AT_REST),
            r"nu\[u\] must be a number in m/s: .*kg.* but m/s is wanted",
        ),
        (
            lambda: root_locus(position_loop(), "gain.gian", [1, 2]),
            "no parameter 'gain.gian'; did you mean 'gain.gain'",
        ),
        (lambda: root_locus(position_loop(), "gain.gain", [1]), "at least two values"),
        (
            lambda: linearize(vessel(), trim(position_loop(1.0), given={"reference": 0.0})),
            "it is a point of another model",
        ),
    ],
)
def test_what_cannot_be_says_why(call, message) -> None:
    with pytest.raises((AnalysisError, WiringError), match=message):
        call()


def test_a_speed_out_of_reach_says_what_is_left_over() -> None:
    with pytest.raises(
        TrimError, match=r"no operating point found: .*off by.*nothing is free: name inputs or parameters"
    ) as caught:
        trim(vessel(), {"nu[u]": 1.0}, given={**AT_REST, "force": np.zeros(6)})
    assert caught.value.point["diagonal_vessel_3dof.nu"].shape == (6,)


def test_a_loop_that_is_not_there_cannot_be_opened() -> None:
    with pytest.raises(
        WiringError, match=r"cannot open the loop at 'eror.y': there is no such output; did you mean 'error.y'"
    ):
        linearize(position_loop(), opened="eror.y")
    with pytest.raises(WiringError, match=r"cannot open the loop at diagonal_vessel_3dof.eta: no input reads it"):
        linearize(vessel(), given=AT_REST, opened="diagonal_vessel_3dof.eta")


def test_a_point_keeps_what_sampled_blocks_hold() -> None:
    """dx/dt = y_k x - x, y_k = 2 sin(1), sampled at 1 s and held at 1.2 s: the slope is 2 sin(1) - 1."""
    diagram = Diagram("held")
    diagram.add("wave", Sine(2.0, 1.0))
    diagram.add("hold", ZeroOrderHold(period=0.5))
    diagram.add("product", Product())
    diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect("wave.y", "hold.u")
    diagram.connect("hold.y", "product.in1")
    diagram.connect("lag.y", "product.in2")
    diagram.connect("product.y", "lag.u")
    system = linearize(diagram, "1.2 s")
    assert system.A[0, 0] == pytest.approx(2.0 * np.sin(1.0) - 1.0, rel=1e-9)
    assert linearize(diagram, system.point).A[0, 0] == system.A[0, 0]
    opened = linearize(diagram, system.point, opened="product.y")
    assert opened.A[0, 0] == pytest.approx(-1.0)
    assert opened.C[0, 0] == pytest.approx(2.0 * np.sin(1.0), rel=1e-9)


@pytest.mark.parametrize(("at", "message"), [("-1 s", "at must be a time ≥ 0 s"), ("2 kg", "at: '2 kg' is in kg")])
def test_a_time_that_is_none_is_refused(at: str, message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        linearize(Integrator(), at)
    assert linearize(Integrator(), 0.0).point.time == 0.0
