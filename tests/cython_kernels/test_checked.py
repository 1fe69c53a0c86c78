"""The checked build stops a kernel that touches what is not its own, and says which array."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

from blocks.basic import Constant, Gain
from blocks.diagram import Diagram
from blocks.plan import make_plan
from cython_kernels.core.misuse import explain_misuse
from cython_kernels.engine import CHECKED_FROM_BYTE, fnv1a_hash

STATUS_END, STATUS_FAULT = 0, 3
CHECKSUM = slice(CHECKED_FROM_BYTE - 8, CHECKED_FROM_BYTE)


@pytest.fixture(scope="module")
def library(compile_c, tmp_path_factory) -> Path:
    output = tmp_path_factory.mktemp("checked") / "misusing.so"
    source = Path(__file__).with_name("misusing.c")
    done = compile_c(source, output, "-O1", "-DKEELBLOCKS_CHECKED", "-fPIC", "-shared")
    assert done.returncode == 0, done.stderr
    return output


def _plan_of(kernel: bytes, parameter: float) -> tuple[bytes, int]:
    """A plan of a gain whose kernel is replaced by another with a name as long; and the place of its output."""
    diagram = Diagram()
    diagram.add("source", Constant(3.0))
    diagram.add("amplifier", Gain(parameter))
    diagram.connect("source.y", "amplifier.u")
    plan = make_plan(diagram, wanted=["amplifier.y"])
    stored = bytearray(plan.stored)
    at = stored.index(b"\0gain\0", CHECKED_FROM_BYTE)
    stored[at + 1 : at + 5] = kernel
    stored[CHECKSUM] = fnv1a_hash(bytes(stored[CHECKED_FROM_BYTE:])).to_bytes(8, "little")
    return bytes(stored), plan.outputs["amplifier.y"].first


@pytest.fixture
def start(library: Path) -> Callable[[int], tuple[int, int, float]]:
    """Starts the plan with the kernel that misuses; (status, fault, output)."""

    def run(way: int) -> tuple[int, int, float]:
        host = ctypes.CDLL(str(library))
        host.host_memory.restype = ctypes.c_size_t
        host.host_value.restype = ctypes.c_double
        host.host_start.argtypes = [ctypes.c_void_p, ctypes.c_double]
        stored, place = _plan_of(b"bad!", float(way))
        size = ctypes.c_size_t(len(stored))
        status = ctypes.c_int()
        memory = (ctypes.c_longdouble * (host.host_memory(stored, size, ctypes.byref(status)) // 16 + 1))()
        plan = ctypes.c_void_p()
        assert host.host_open(ctypes.byref(memory), stored, size, ctypes.byref(plan)) == STATUS_END
        return host.host_start(plan, 0.0), host.host_fault(plan), host.host_value(plan, place)

    return run


def test_proper_kernel_is_let_be(start):
    assert start(0) == (STATUS_END, 0, 3.0)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        (1, "its kernel (outputs) wrote outside of output 0, 1 behind its last element; compare its indices with the"),
        (2, "its kernel (outputs) wrote outside of output 0, 1 before its first element"),
        (3, "its kernel (outputs) wrote to element 0 of input 0, where it may only read: a kernel only reads there"),
        (4, "its kernel (outputs) wrote outside of parameter 0"),
        (5, "its kernel (outputs) wrote outside of the discrete states z"),
        (6, "its kernel (outputs) made element 0 of output 0 of what it read outside of an array"),
    ],
)
def test_misuse_is_a_fault_that_names_the_array(start, way, message):
    status, fault, _ = start(way)
    assert status == STATUS_FAULT
    assert explain_misuse(fault).startswith(message)


def test_sizes_outside_are_zero(start):
    assert start(7) == (STATUS_END, 0, 0.0)
