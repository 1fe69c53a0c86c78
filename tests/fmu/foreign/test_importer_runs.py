"""FMUs in diagrams: coupling, feedthrough, loops, repeated runs, checkpoints, and failures that stop a run."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import fmpy
import numpy as np
import pytest
from foreign_fmus import build

import fmu
from blocks import Block, Diagram, Fleet, Input, Output, PythonBlock, Result, RunStopped, Simulator, simulate
from blocks.basic import FirstOrderLag, Gain, Sine, ZeroOrderHold
from blocks.errors import ExportError, ParameterError, SimulationError, WiringError
from blocks.simulation import RunInterrupted
from fmu import FmuBlock

H = 0.02


@pytest.fixture(scope="module")
def tank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("tank", tmp_path_factory.mktemp("tank"))


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("trouble", tmp_path_factory.mktemp("trouble"))


@pytest.fixture(scope="module")
def lag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fmu.export(FirstOrderLag(0.4), tmp_path_factory.mktemp("lag") / "lag.fmu", step=H)


def fed(block: Block, source: Block, port: str = "u") -> Diagram:
    """A block behind a source that is held from communication point to communication point."""
    diagram = Diagram()
    diagram.add("source", source)
    diagram.add("held", ZeroOrderHold(period=H))
    diagram.add("block", block)
    diagram.connect("source.y", "held.u")
    diagram.connect("held.y", f"block.{port}")
    return diagram


# --- coupling --------------------------------------------------------------------------------------------------------


def test_inputs_are_those_of_the_communication_point_and_held(tank: Path) -> None:
    """Volume after k steps: V₀ + h Σ (inflow(t_i) − k opening), with the inflow of a source between the points, too."""
    diagram = Diagram()
    diagram.add("flow", Sine(1e-3, 5.0, offset=2e-3))
    diagram.add("tank", FmuBlock(tank, 0.1))
    diagram.connect("flow.y", "tank.inflow")
    run = simulate(diagram, 1.0, step=0.01)
    points = run.time[::10]
    flow = 2e-3 + 1e-3 * np.sin(5.0 * points)
    expected = 0.5 + 0.1 * np.concatenate([[0.0], np.cumsum(flow - 0.005)[:-1]])
    volume = run.values("tank.volume")
    assert volume[::10] == pytest.approx(expected, rel=1e-12)
    held = volume[: len(volume) - 1].reshape(-1, 10)
    assert np.all(held == held[:, :1]), "outputs are held between communication points"


@pytest.mark.parametrize("solver", ["euler", "rk4", "dopri5", "LSODA"])
def test_any_solver_of_the_diagram_meets_the_communication_points(tank: Path, solver: str) -> None:
    run = simulate(FmuBlock(tank, 0.1), 1.0, step=0.07, solver=solver)
    assert run.time[-1] == pytest.approx(1.0)
    expected = np.floor(run.time / 0.1 + 1e-9)
    assert run.values("heated_tank.steps") == pytest.approx(expected)
    assert run.values("heated_tank.volume") == pytest.approx(0.5 + 0.1 * expected * (1e-4 - 0.005), rel=1e-9)


def test_a_run_that_begins_later_and_ends_between_points(tank: Path) -> None:
    run = simulate(FmuBlock(tank, 0.1), 100.25, start=100.0, step=0.05)
    assert run.values("heated_tank.steps").tolist() == [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]


def test_fmus_step_from_what_is_there_at_the_point_whatever_their_order(lag: Path) -> None:
    """Two lags in a ring with a gain: Jacobi coupling, by hand."""

    def ring(names: tuple[str, str]) -> Result:
        diagram = Diagram()
        for name in names:
            diagram.add(name, FmuBlock(lag, 0.1, parameters={"initial_x": 1.0 if name == "a" else 0.0}))
        diagram.add("minus", Gain(-1.0))
        diagram.connect("a.y", "b.u")
        diagram.connect("b.y", "minus.u")
        diagram.connect("minus.y", "a.u")
        return simulate(diagram, 1.0, step=0.1)

    decay = (1 - 0.05 + 0.05**2 / 2 - 0.05**3 / 6 + 0.05**4 / 24) ** 5  # RK4 steps of 0.02 s
    a, b = 1.0, 0.0
    expected = [(a, b)]
    for _ in range(10):
        a, b = -b + (a + b) * decay, a + (b - a) * decay
        expected.append((a, b))
    for names in (("a", "b"), ("b", "a")):
        run = ring(names)
        found = np.column_stack([run.values("a.y").ravel(), run.values("b.y").ravel()])
        assert found == pytest.approx(np.array(expected), rel=1e-12, abs=1e-14)


# --- feedthrough -----------------------------------------------------------------------------------------------------


def test_direct_feedthrough_is_of_the_same_instant(tank: Path) -> None:
    """power = 4186·inflow·10 K, in l/s; with feedthrough=False it is that of the input one step before."""
    block = FmuBlock(tank, H)
    assert block.feedthrough("power") == ("inflow", "supply_temperature")
    assert block.feedthrough("volume") == ()
    run = simulate(fed(block, Sine(1e-3, 3.0), "inflow"), 0.5, step=H)
    flow = run.values("held.y").ravel()
    assert run.values("block.power") == pytest.approx(4186e4 * flow, rel=1e-9, abs=1e-9)

    late = simulate(fed(FmuBlock(tank, H, feedthrough=False), Sine(1e-3, 3.0), "inflow"), 0.5, step=H)
    power = late.values("block.power")
    assert power[1:] == pytest.approx(4186e4 * flow[:-1], rel=1e-9, abs=1e-9)
    assert power[0] == pytest.approx(4186e4 * 1e-4), "at first that of the input's start value"


def test_an_algebraic_loop_through_an_fmu_is_reported_and_can_be_broken(tank: Path) -> None:
    def looped(**options: bool) -> Diagram:
        diagram = Diagram()
        diagram.add("tank", FmuBlock(tank, H, **options))
        diagram.add("scale", Gain(1e-8))
        diagram.connect("tank.power", "scale.u")
        diagram.connect("scale.y", "tank.inflow")
        return diagram

    with pytest.raises(WiringError, match=r"algebraic loop: ") as caught:
        looped().plan()
    assert all(f"{name} → " in str(caught.value) for name in ("tank.power", "scale.u", "scale.y", "tank.inflow"))
    assert str(caught.value).endswith("; or give tank feedthrough=False")
    run = simulate(looped(feedthrough=False), 0.2, step=H)
    power = run.values("tank.power")
    assert power[2:] == pytest.approx(4186e4 * 1e-8 * power[1:-1], rel=1e-9)


def test_dependencies_that_are_not_stated(tmp_path: Path) -> None:
    """Co-Simulation promises nothing after an input was set: no feedthrough."""
    stated = '<Outputs>\n      <Unknown index="1" dependencies=""/><Unknown index="4" dependencies="2 3"/>'
    path = build("tank", tmp_path, replace={stated: stated.replace(' dependencies="2 3"', "")})
    assert FmuBlock(path).feedthrough("power") == ()


def test_an_fmu_that_refuses_to_be_read_after_its_inputs_were_set(tank: Path) -> None:
    strict = {"label": "strict"}
    said = (
        r"reading overflow.* failed with an error \(fmi2GetBoolean\); it says: error: read after 2 inputs were set; it "
        r"may refuse to be read .*: try feedthrough=False"
    )
    with pytest.raises(RunStopped, match=said) as caught:
        simulate(fed(FmuBlock(tank, H, parameters=strict), Sine(1e-3, 3.0), "inflow"), 0.5, step=H)
    assert len(caught.value.result) == 1
    run = simulate(fed(FmuBlock(tank, H, parameters=strict, feedthrough=False), Sine(1e-3, 3.0), "inflow"), 0.5, step=H)
    assert run.values("block.steps")[-1] == 25.0


# --- instances -------------------------------------------------------------------------------------------------------


def test_every_run_begins_anew(tank: Path) -> None:
    block = FmuBlock(tank)
    one, other = (simulate(block, 1.0, step=0.1) for _ in range(2))
    assert one.values("heated_tank.volume").tobytes() == other.values("heated_tank.volume").tobytes()
    engine = block.copy()
    plan = fed(engine, Sine(1e-3, 3.0), "inflow").plan(step=H)
    running = plan.engine()
    values = []
    for _ in range(2):
        running.start(0.0)
        running.advance(0.5)
        values.append(running.values[plan.outputs["block.volume"].slice].copy())
    plan.close(running)
    assert values[0].tobytes() == values[1].tobytes()


def test_to_evaluate_a_block_disturbs_no_run(tank: Path) -> None:
    class Prober(PythonBlock, abstract=True):
        u = Input(doc="a signal")
        y = Output(doc="the same")

        def outputs(self, t, states, inputs):
            probed.append(other.evaluate(t, inflow=1.0).outputs["volume"])
            return {"y": inputs["u"]}

    probed: list[float] = []
    other = FmuBlock(tank, 0.1)
    diagram = Diagram()
    diagram.add("tank", other)
    diagram.add("prober", Prober())
    diagram.connect("tank.volume", "prober.u")
    alone = simulate(FmuBlock(tank, 0.1), 1.0, step=0.1)
    run = simulate(diagram, 1.0, step=0.1)
    assert run.values("tank.volume").tobytes() == alone.values("heated_tank.volume").tobytes()
    assert set(probed) == {0.5}


def test_two_blocks_of_one_fmu_are_independent(tank: Path) -> None:
    diagram = Diagram()
    for name, volume in (("a", 0.3), ("b", 0.7)):
        diagram.add(name, FmuBlock(tank, parameters={"volume": volume}))
    run = simulate(diagram, 1.0, step=0.1, inputs=None)
    for name, volume in (("a", 0.3), ("b", 0.7)):
        alone = simulate(FmuBlock(tank, parameters={"volume": volume}), 1.0, step=0.1)
        assert run.values(f"{name}.volume").tobytes() == alone.values("heated_tank.volume").tobytes()


def test_an_fmu_that_allows_one_instance_only(tank: Path, tmp_path: Path) -> None:
    path = build(
        "tank", tmp_path, replace={"canHandleVariable": 'canBeInstantiatedOnlyOncePerProcess="true" canHandleVariable'}
    )
    diagram = Diagram()
    diagram.add("a", FmuBlock(path))
    diagram.add("b", FmuBlock(path))
    with pytest.raises(
        RunStopped, match=r"b stopped the run at t = 0 s: .*only once in a process: give all but one isolate=True"
    ):
        simulate(diagram, 1.0, step=0.1)
    diagram.replace("b", FmuBlock(path, isolate=True))
    assert simulate(diagram, 0.2, step=0.1).values("b.steps").tolist() == [0.0, 1.0, 2.0]


def test_many_threads_run_the_same_fmu(tank: Path) -> None:
    results: dict[int, bytes] = {}

    def work(number: int) -> None:
        results[number] = simulate(FmuBlock(tank), 2.0, step=0.1).values("heated_tank.volume").tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results.values())) == 1
    assert len(results) == 8


# --- checkpoints -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolate", [False, True])
def test_a_continued_run_is_the_same_to_the_last_bit(tank: Path, tmp_path: Path, isolate: bool) -> None:
    file = tmp_path / "run.checkpoint"

    def diagram() -> Diagram:
        return fed(FmuBlock(tank, H, isolate=isolate), Sine(1e-3, 3.0), "inflow")

    whole = simulate(diagram(), 1.0, step=H)
    simulate(diagram(), 0.51, step=H, checkpoint=file)
    again = simulate(diagram(), 1.0, step=H, resume=file)
    for name in whole:
        assert again.values(name).tobytes() == whole.values(name).tobytes(), name


def test_an_fmu_without_saved_states_has_no_checkpoints(trouble: Path, tmp_path: Path) -> None:
    with pytest.raises(
        SimulationError, match=r"trouble: .*trouble.fmu does not offer to save its state .*has no checkpoints"
    ):
        simulate(FmuBlock(trouble, 0.1), 1.0, step=0.1, checkpoint=tmp_path / "x.checkpoint")


def test_a_checkpoint_of_another_fmu_is_refused(tank: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    simulate(FmuBlock(tank), 0.5, step=0.1, checkpoint=file)
    other = build("tank", tmp_path, replace={"A heated tank": "Another tank"})
    with pytest.raises(SimulationError, match="written by another diagram"):
        simulate(FmuBlock(other), 1.0, step=0.1, resume=file)
    moved = tmp_path / "moved.fmu"
    moved.write_bytes(tank.read_bytes())
    assert simulate(FmuBlock(moved), 1.0, step=0.1, resume=file).values("heated_tank.steps")[-1] == 10.0


# --- failures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (
            "discard",
            r"its step from t = 0.4 s to 0.5 s was discarded: it got as far as t = 0.4 s; it says: discard: the step",
        ),
        ("terminate", r"was discarded: it asks for the end of the simulation"),
        ("error", r"to 0.5 s failed with an error \(fmi2DoStep\); it says: error: the tank bursts at 12.5 bar"),
        ("fatal", r"failed fatally \(fmi2DoStep\); it says: fatal: memory is corrupt"),
        ("nan", r"its output y is not a finite number"),
        ("unknown_status", r"gave the status 77, which FMI 2 does not have there \(fmi2DoStep\)"),
        ("negative_status", r"gave the status -1, which FMI 2 does not have there \(fmi2DoStep\)"),
    ],
)
def test_a_failure_stops_the_run_and_what_was_recorded_is_there(trouble: Path, kind: str, said: str) -> None:
    diagram = Diagram()
    diagram.add("pump", FmuBlock(trouble, 0.1, parameters={"kind": kind}))
    diagram.add("other", Sine(1.0, 1.0))
    with pytest.raises(RunStopped, match=rf"pump stopped the run at t = 0.5 s: .*trouble.fmu: .*{said}") as caught:
        simulate(diagram, 1.0, step=0.1)
    assert str(caught.value).count("trouble.fmu") == 1
    result = caught.value.result
    assert result.time == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert result.values("pump.y") == pytest.approx(result.time)
    assert simulate(FmuBlock(trouble, 0.1), 1.0, step=0.1).values("trouble.y")[-1] == pytest.approx(1.0)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_failure_of_the_very_first_step_says_why(tank: Path, isolate: bool) -> None:
    """The engine evaluates the block once more before it asks, which must not make the message be forgotten."""
    block = FmuBlock(tank, 0.1, isolate=isolate)
    with pytest.raises(RunStopped, match=r"its input pumps takes whole numbers \(Integer\), not 1.5") as caught:
        simulate(block, 0.3, step=0.1, inputs={"pumps": 1.5})
    assert len(caught.value.result) == 1
    assert simulate(block, 0.3, step=0.1, inputs={"pumps": 2}).values("heated_tank.steps")[-1] == 3.0


def test_ctrl_c_waits_until_the_step_is_done(tank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run has a checkpoint from which it continues bit for bit."""
    file = tmp_path / "run.checkpoint"
    before = signal.getsignal(signal.SIGINT)
    whole = simulate(FmuBlock(tank, H), 2.0, step=H)
    monkeypatch.setenv("TANK_INTERRUPTS", "1")
    with pytest.raises(RunInterrupted) as caught:
        simulate(FmuBlock(tank, H), 2.0, step=H, checkpoint=file)
    assert caught.value.result.time[-1] >= 49 * H - 1e-9
    monkeypatch.delenv("TANK_INTERRUPTS")
    again = simulate(FmuBlock(tank, H), 2.0, step=H, resume=file)
    assert again.values("heated_tank.volume").tobytes() == whole.values("heated_tank.volume").tobytes()
    assert again.values("heated_tank.steps")[-1] == 100.0
    assert signal.getsignal(signal.SIGINT) is before


def test_an_fmu_alone_is_not_exported(tank: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"is an FMU already: .*tank\.fmu is the file that is wanted$"):
        fmu.export(FmuBlock(tank), tmp_path / "plant.fmu")


def test_fmpy_agrees(tank: Path) -> None:
    """The same inputs at the same points in FMPy's simulator."""
    points = np.arange(0.0, 1.05, 0.1)
    signals = np.array([(t, 6.0 + t) for t in points], dtype=[("time", float), ("inflow", float)])
    theirs = fmpy.simulate_fmu(
        str(tank), stop_time=1.0, output_interval=0.1, input=signals, output=["volume", "level[3]"]
    )
    diagram = Diagram()
    diagram.add("tank", FmuBlock(tank))
    ours = simulate(FmuBlock(tank), 1.0, step=0.1, inputs={"inflow": (points, (6.0 + points) / 60000.0)})
    assert ours.values("heated_tank.volume") == pytest.approx(theirs["volume"], rel=1e-12)
    assert ours.values("heated_tank.level")[:, 2] == pytest.approx(theirs["level[3]"] * 0.158987294928, rel=1e-12)


BOILER = """
from pythonfmu import Boolean, Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Boiler(Fmi2Slave):
    def __init__(self, **given):
        super().__init__(**given)
        self.heat, self.temperature, self.gain, self.on = 1.0, 20.0, 2.0, True
        self.register_variable(Real("heat", causality=Fmi2Causality.input))
        self.register_variable(Real("temperature", causality=Fmi2Causality.output))
        self.register_variable(Real("gain", causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))
        self.register_variable(Boolean("on", causality=Fmi2Causality.input, variability=Fmi2Variability.discrete))

    def do_step(self, t, h):
        self.temperature += h * self.gain * self.heat if self.on else 0.0
        if self.temperature > 25.0:
            raise ValueError("too hot")
        return True
"""


@pytest.mark.parametrize("isolate", [False, True])
def test_an_fmu_of_pythonfmu(tmp_path: Path, isolate: bool) -> None:
    """Which does not pass validation, states no dependencies, and fails fatally with a Python exception."""
    builder = pytest.importorskip("pythonfmu.builder")
    (tmp_path / "boiler.py").write_text(BOILER, encoding="utf-8")
    path = builder.FmuBuilder.build_FMU(tmp_path / "boiler.py", dest=tmp_path)
    with pytest.warns(fmu.FmuWarning, match="not in order: ModelStructure/InitialUnknowns"):
        block = FmuBlock(path, 0.1, isolate=isolate, parameters={"gain": 3.0})
    run = simulate(block, 1.0, step=0.1)
    assert run.values("boiler.temperature") == pytest.approx(20.0 + 3.0 * run.time)
    assert simulate(block, 1.0, step=0.1, inputs={"on": 0}).values("boiler.temperature")[-1] == 20.0
    with pytest.raises(RunStopped, match=r"failed fatally \(fmi2DoStep\); it says: fatal: .*too hot") as caught:
        simulate(block, 5.0, step=0.1)
    assert caught.value.result.values("boiler.temperature")[-1] == pytest.approx(24.8)


# --- step by step ----------------------------------------------------------------------------------------------------


def test_step_by_step_it_is_the_run_and_reset_gives_it_other_parameters(lag: Path) -> None:
    """Pieces between its communication points, states, a new instance with other parameters; none in mid-run."""

    def run(time_constant: float) -> Result:
        return simulate(FmuBlock(lag, H, time_constant=time_constant), 0.5, step=0.005, inputs={"u": 1.0})

    with (
        Simulator(FmuBlock(lag, H, time_constant=0.4), step=0.005, inputs={"u": 1.0}) as simulator,
        Simulator(FmuBlock(lag, H, time_constant=0.4), step=0.005, inputs={"u": 1.0}) as other,
        Fleet(FmuBlock(lag, H, time_constant=0.4), 2, step=0.005, inputs={"u": 1.0}) as fleet,
    ):
        y, name = simulator["first_order_lag.y"], "first_order_lag.time_constant"
        for until in (0.013, 0.02, 0.111, 0.5):
            simulator.advance(until=until)
        assert np.array_equal(simulator.result().values("first_order_lag.y"), run(0.4).values("first_order_lag.y"))
        with pytest.raises(
            ParameterError, match=r"cannot change while the run goes on \(an instance of the FMU is made"
        ):
            simulator[name] = 0.9
        simulator.reset(parameters={name: 0.9})
        simulator.advance(until=0.111)
        state = simulator.save()
        simulator.advance(until=0.5)
        assert y == run(0.9).values("first_order_lag.y")[-1]
        other.restore(state)
        other.advance(until=0.5)
        assert other["first_order_lag.y"] == y
        other.reset()
        other.advance(until=0.5)
        assert other["first_order_lag.y"] == y
        fleet.start()
        fleet.reset(np.array([False, True]), parameters={name: [0.9]})
        fleet.advance(0.5)
        assert fleet["first_order_lag.y"].tolist() == [run(0.4).values("first_order_lag.y")[-1], y.item()]


def test_an_fmu_that_cannot_save_its_state_goes_step_by_step_too(trouble: Path) -> None:
    with Simulator(FmuBlock(trouble, H), step=H) as simulator:
        for _ in range(2):
            simulator.advance(0.1)
            assert len(simulator.result()) == 6
            with pytest.raises(SimulationError, match="does not offer to save its state"):
                simulator.save()
            simulator.reset()
