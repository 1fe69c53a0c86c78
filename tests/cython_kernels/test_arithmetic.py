"""Whatever libraries tell the processor, the engine calculates as IEEE 754 says, and leaves others what is theirs."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign_fmus import build

import fmu
from blocks import Diagram, Output, PythonBlock, simulate
from blocks.basic import Gain, Integrator
from blocks.plan import make_plan
from blocks.python_block import Arrays
from blocks.signal import Number
from blocks.swarm import Swarm
from cython_kernels.engine import processor_arithmetic, set_processor_arithmetic
from fmu import FmuBlock
from fmu.foreign.model_exchange import make_instance

OTHERWISE = {
    "x86_64": 0x1F80 | 0x8040 | 0x2000,  # MXCSR: numbers below the normal ones are zeros, rounding is downwards
    "amd64": 0x1F80 | 0x8040 | 0x2000,
    "aarch64": 1 << 24 | 2 << 22,  # FPCR: the same
    "arm64": 1 << 24 | 2 << 22,
}
WORD = OTHERWISE.get(platform.machine().lower())
FLAGS = 0x3F
pytestmark = pytest.mark.skipif(WORD is None, reason=f"nothing is known of the control word of {platform.machine()}")


@pytest.fixture
def otherwise() -> Iterator[Callable[[], None]]:
    """Lets this thread's processor calculate otherwise until the test ends."""
    before = processor_arithmetic()
    assert WORD is not None
    word = WORD
    yield lambda: set_processor_arithmetic(word)
    set_processor_arithmetic(before)


def kept() -> bool:
    """Whether the processor still calculates otherwise, as it was told."""
    return processor_arithmetic() & ~FLAGS == WORD


def small(initial: float = 3e-308) -> Diagram:
    """Decays below the normal numbers, where flushing shows within a few steps."""
    diagram = Diagram("small")
    diagram.add("x", Integrator(initial_x=initial))
    diagram.add("rate", Gain(-1.3))
    diagram.connect("x.y", "rate.u")
    diagram.connect("rate.y", "x.u")
    diagram.outputs(x="x.y", rate="rate.y")
    return diagram


def run(solver: str) -> Any:
    result = simulate(small(), 4.0, step=0.01, solver=solver)
    return np.concatenate([result["x.y"].values.ravel(), result["rate.y"].values.ravel()])


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_a_run_has_its_bits_and_leaves_the_processor_as_it_was(solver: str, otherwise: Callable[[], None]) -> None:
    wanted = run(solver)
    assert 0.0 < abs(wanted[len(wanted) // 2 - 1]) < np.finfo(float).tiny
    otherwise()
    found = run(solver)
    assert kept()
    set_processor_arithmetic(0x1F80 if OTHERWISE["x86_64"] == WORD else 0)
    assert np.array_equal(found, wanted)


def test_every_door_of_the_engine_is_guarded(otherwise: Callable[[], None]) -> None:
    def everything() -> list[Any]:
        plan = make_plan(small(), step=0.01)
        engine = plan.engine()
        x, found = np.array([3e-308]), np.zeros(1)
        engine.start(0.0)
        engine.right_hand_side(0.0, x, found)
        values = [found.copy()]
        for door in (
            lambda: engine.look(0.5), lambda: engine.update(0.5), lambda: engine.probe(0.7), lambda: engine.hold(0.2),
            lambda: engine.settle(0.3), engine.commit, engine.refresh, lambda: engine.diagnose_step(0.1, 0.01),
            lambda: engine.advance(0.4),
        ):  # fmt: skip
            door()
            values.append(engine.values.copy())
        place = np.array([plan.outputs["x.y"].slice.start], dtype=np.uint32)
        values += engine.differences(0.4, place, np.array([1e-300]), place)[:2]
        return values

    wanted = everything()
    otherwise()
    found = everything()
    assert kept()
    for k, (a, b) in enumerate(zip(found, wanted, strict=True)):
        assert a.tobytes() == b.tobytes(), k


def test_a_swarm_has_its_bits_on_every_thread(otherwise: Callable[[], None]) -> None:
    def last(threads: int) -> bytes:
        result = Swarm(small(), 20).run(2.0, step=0.01, threads=threads)
        return bytes(result["x.y"].values.tobytes())

    wanted = last(1)
    otherwise()
    assert last(1) == last(2) == wanted


class Careless(PythonBlock, abstract=True):
    """Changes the processor's arithmetic for all."""

    y = Output(Number, "nothing")

    def outputs(self, t: float, states: Arrays, inputs: Arrays) -> dict[str, float]:
        assert WORD is not None
        set_processor_arithmetic(WORD)
        return {"y": 0.0}


def test_a_block_that_changes_the_arithmetic_changes_no_other(otherwise: Callable[[], None]) -> None:
    wanted = run("rk4")
    diagram = small()
    diagram.add("careless", Careless())
    result = simulate(diagram, 4.0, step=0.01)
    assert processor_arithmetic() & ~FLAGS != WORD
    assert np.array_equal(np.concatenate([result["x.y"].values.ravel(), result["rate.y"].values.ravel()]), wanted)


def test_a_foreign_fmu_that_changes_the_arithmetic_changes_it_for_nobody(tmp_path: Path) -> None:
    block = FmuBlock(build("trouble", tmp_path), 0.1, parameters={"kind": "arithmetic", "at": 0.0})
    instance = make_instance(block._spec(), "it")
    before = processor_arithmetic() & ~FLAGS
    instance.begin(0.0)
    instance.step(np.zeros(0))
    assert processor_arithmetic() & ~FLAGS == before


@pytest.mark.parametrize(("version", "interface"), [("2.0", "cs"), ("2.0", "me"), ("3.0", "cs"), ("3.0", "me")])
def test_an_fmu_has_its_bits_whatever_the_importing_tool_has_set(
    version: str, interface: str, tmp_path: Path, otherwise: Callable[[], None]
) -> None:
    path = fmu.export(small(1e-308), tmp_path / "small.fmu", fmi=version, step=0.01)
    block = FmuBlock(path, 0.1, interface=interface)
    nothing = np.zeros(0)

    def read() -> list[bytes]:
        """The initial state; of co-simulation, where no tool calculates on the way, also what follows."""
        instance = make_instance(block._spec(), "it")
        instance.begin(0.0)
        found = [instance.read(nothing).tobytes()]
        for _ in range(20 if interface == "cs" else 0):
            instance.step(nothing)
            found.append(instance.read(nothing).tobytes())
        return found

    wanted = read()
    otherwise()
    found = read()
    assert kept()
    assert found == wanted
