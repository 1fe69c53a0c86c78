"""Stepping an FMU: the numbers of `simulate`, whatever the communication points, and clear refusals."""

from __future__ import annotations

import math
from ctypes import byref, c_double, c_int

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

import fmu
from blocks import Diagram, simulate
from blocks.basic import Step
from blocks.dynamics import Vessel6DOF

NAMES = ("eta[1]", "eta[2]", "eta[6]", "nu[1]", "force[1]", "force[6]", "error")
COLUMNS = ("eta", "nu", "force", "error")


def reference(models, name, end, **settings):
    """All outputs of a model, a row per step, by the run in this process."""
    diagram = getattr(models, name)()
    inputs = dict.fromkeys(diagram.input_ports, 0.0)
    result = simulate(diagram, end, step=models.step, record=list(diagram.output_ports), inputs=inputs, **settings)
    return np.column_stack([result.values(port).reshape(len(result), -1) for port in diagram.output_ports])


@pytest.mark.parametrize("name", ["guided_vessel", "mixed"])
def test_steps_give_the_numbers_of_simulate_bit_for_bit(models, exported, tool, name):
    one = tool(exported(name)).begin()
    names = one.outputs()
    rows = [one.get(*names), *one.run(500, *names)]
    np.testing.assert_array_equal(rows, reference(models, name, 10.0))


@pytest.mark.parametrize("solver", ["euler", "heun", "dopri5"])
def test_every_solver_gives_the_numbers_of_simulate(models, tool, tmp_path, solver):
    path = fmu.export(models.guided_vessel(), tmp_path / "model.fmu", step=models.step, solver=solver)
    one = tool(path).begin()
    names = one.outputs()
    rows = [one.get(*names), *one.run(250, *names)]
    expected = reference(models, "guided_vessel", 5.0, solver=solver)
    if solver == "dopri5":  # it ends a step at each communication point, where `simulate` takes dense output
        np.testing.assert_allclose(rows, expected, rtol=1e-4, atol=1e-4)
    else:
        np.testing.assert_array_equal(rows, expected)


def test_long_communication_steps_pass_through_the_same_states(models, exported, tool):
    one = tool(exported("mixed")).begin()
    rows = one.run(20, *one.outputs(), size=0.1)
    np.testing.assert_array_equal(rows, reference(models, "mixed", 2.0)[5::5])


def test_variable_communication_steps_meet_again_on_the_grid(models, exported, tool):
    one = tool(exported("guided_vessel")).begin()
    t = 0.0
    for size in (0.02, 0.06, 0.005, 0.013, 0.002, 0.4, 0.5):
        one.step(t, size)
        t += size
    expected = reference(models, "guided_vessel", 1.0)[-1]
    np.testing.assert_allclose(one.get(*one.outputs()), expected, rtol=1e-6, atol=1e-7)


def test_a_tool_that_adds_up_step_sizes_stays_on_the_grid(models, exported, tool):
    one = tool(exported("mixed")).begin()
    t = 0.0
    for _ in range(3000):
        one.step(t, models.step)
        t += models.step
    assert t != 3000 * models.step
    np.testing.assert_array_equal(one.get(*one.outputs()), reference(models, "mixed", 60.0)[-1])


def test_a_start_time_other_than_zero(models, exported, tool):
    one = tool(exported("mixed")).begin(start=5.0)
    names = one.outputs()
    rows = [one.get(*names)]
    for k in range(50):
        one.step(5.0 + k * models.step)
        rows.append(one.get(*names))
    np.testing.assert_array_equal(rows, reference(models, "mixed", 6.0, start=5.0))


def test_inputs_act_from_the_step_in_which_they_are_set(models, exported, tool):
    one = tool(exported("mixed")).begin()
    one.run(25, *one.outputs())
    one.set({"push": 2.0})
    rows = one.run(25, *one.outputs(), first=25)
    quiet = reference(models, "mixed", 1.0)
    assert np.all(np.array(rows)[:, 0] > quiet[26:, 0])


def test_fifty_instances_do_not_disturb_each_other(exported, tool):
    first = tool(exported("guided_vessel")).begin()
    alone = first.run(30, *NAMES)
    many = []
    for k in range(50):
        one = tool(exported("guided_vessel")).instantiate()
        one.set({"autopilot.speed.ki[1]": 20.0 - (k % 2)})
        many.append(one.initialize())
    last: dict[int, list[float]] = {}
    for step in range(30):
        for k, one in enumerate(many):
            one.step(step * 0.02)
            last[k] = one.get(*NAMES)
            if k % 2 == 0:
                assert last[k] == alone[step]
    assert last[1] != last[0]
    assert last[1] == last[49]


@pytest.mark.parametrize("size", [0.0, -0.02, math.nan, math.inf, 1e12])
def test_a_step_that_cannot_be_is_refused_and_changes_nothing(exported, tool, size):
    one = tool(exported("guided_vessel")).begin()
    one.run(3, *NAMES)
    before = one.get(*NAMES)
    with pytest.raises(FMICallException) as refused:
        one.step(0.06, size)
    assert refused.value.status == 3
    assert one.messages[-1].startswith(("fmi2DoStep: the communication step size must be > 0 s", "fmi2DoStep: a comm"))
    assert one.get(*NAMES) == before
    one.step(0.06)


@pytest.mark.parametrize("point", [0.0, 0.1, math.nan])
def test_a_communication_point_elsewhere_is_refused(exported, tool, point):
    one = tool(exported("guided_vessel")).begin()
    one.run(2, *NAMES)
    with pytest.raises(FMICallException):
        one.step(point)
    assert "but the instance stands at t = 0.04" in one.messages[-1]
    one.step(0.04)


def test_no_step_goes_beyond_the_stop_time(exported, tool):
    one = tool(exported("guided_vessel")).begin(stop=0.05)
    one.run(2, *NAMES)
    with pytest.raises(FMICallException):
        one.step(0.04)
    assert "beyond the stop time 0.05 s" in one.messages[-1]
    one.step(0.04, 0.01)


def test_a_value_that_is_not_finite_names_block_port_and_time(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 2.0})
    one.initialize()
    one.step(0.0)
    assert one.get("y", "total") == [0.5, pytest.approx(0.01)]
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.step(0.02)
    assert "inverse: output y" in one.messages[-1]
    assert "is not a finite number at t = 0.02 s" in one.messages[-1]
    assert one.categories[-1] == "logStatusError"
    with pytest.raises(FMICallException):
        one.step(0.02)
    assert "the instance is in error" in one.messages[-1]
    one.slave.reset()
    one.set({"u": 4.0})
    one.initialize()
    assert one.get("y") == [0.25]


def test_reading_an_output_that_is_not_finite_is_an_error(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0})
    one.initialize()
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.get("y")
    assert "inverse: output y" in one.messages[-1]


def test_a_fault_is_told_in_the_words_of_its_block(tool, tmp_path):
    diagram = Diagram("diving")
    diagram.add("vessel", Vessel6DOF(rigid_body_inertia=np.diag([10.0, 10.0, 10.0, 1.0, 1.0, 1.0])))
    diagram.inputs(force="vessel.force")
    diagram.outputs(eta="vessel.eta")
    one = tool(fmu.export(diagram, tmp_path / "diving.fmu", step=0.02)).begin()
    one.set({"force[5]": 5.0})
    with pytest.raises(FMICallException) as failed:
        one.run(200, "eta[5]")
    assert failed.value.status == 3
    assert one.messages[-1].startswith("vessel stopped the run at t = ")
    assert one.messages[-1].endswith(Vessel6DOF.faults[1])


def test_a_parameter_that_makes_no_model_is_a_fault_at_once(tool, tmp_path):
    inertia = np.diag([10.0, 10.0, 10.0, 1.0, 1.0, 1.0])
    one = tool(fmu.export(Vessel6DOF(rigid_body_inertia=inertia), tmp_path / "vessel.fmu")).instantiate()
    one.set({"rigid_body_inertia[2,2]": 0.0})
    with pytest.raises(FMICallException):
        one.initialize()
    assert Vessel6DOF.faults[0] in one.messages[-1]


def test_the_model_can_end_the_simulation(tool, tmp_path):
    diagram = Diagram("timer")
    diagram.add("elapsed", Step(time=0.5))
    diagram.outputs(done="elapsed.y")
    path = fmu.export(diagram, tmp_path / "timer.fmu", step=0.02, stop="elapsed.y")
    one = tool(path).begin()
    with pytest.raises(FMICallException) as ended:
        one.run(10, "done", size=0.2)
    assert ended.value.status == 2
    assert one.messages[-1] == "the model ends the simulation at t = 0.5 s"
    time, terminated = c_double(), c_int()
    one.slave.fmi2GetRealStatus(one.slave.component, 2, byref(time))
    one.slave.fmi2GetBooleanStatus(one.slave.component, 3, byref(terminated))
    assert (time.value, terminated.value) == (0.5, 1)
    with pytest.raises(FMICallException):
        one.step(0.5)
    assert "the instance is stopped within a step" in one.messages[-1]
    assert one.get("done") == [1.0]
    one.slave.terminate()
