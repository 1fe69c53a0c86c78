"""The standalone C: clean C99 without Python that computes what the engine in Python computes, bit for bit."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cython_kernels
from blocks.basic import Selector
from blocks.plan import make_plan
from cython_kernels.plain_c.standalone import Form, StandaloneError, extract
from fmu.runtime import ENGINE_C, READABLE_ENGINE_C

HOST = Path(__file__).with_name("host.c")
EQUAL_FLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno"]
SOLVERS_PXD = Path(cython_kernels.__file__).parent / "core" / "solvers.pxd"
SOLVERS = ["euler", "heun", "rk4", "dopri5"]


class Host:
    """The standalone engine loaded into this process, running one plan."""

    def __init__(self, library: ctypes.CDLL, stored: bytes) -> None:
        self._library = library
        library.host_memory.restype = library.host_state_size.restype = ctypes.c_size_t
        library.host_start.argtypes = library.host_advance.argtypes = [ctypes.c_void_p, ctypes.c_double]
        library.host_state_size.argtypes = [ctypes.c_void_p]
        library.host_save.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        library.host_restore.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        library.host_values.argtypes = [ctypes.c_void_p]
        library.host_values.restype = ctypes.POINTER(ctypes.c_double)
        status = ctypes.c_int()
        needed = library.host_memory(stored, ctypes.c_size_t(len(stored)), ctypes.byref(status))
        self._memory = (ctypes.c_longdouble * (needed // 16 + 1))()  # aligned for any type
        self._plan = ctypes.c_void_p()
        size = ctypes.c_size_t(len(stored))
        assert library.host_open(ctypes.byref(self._memory), stored, size, ctypes.byref(self._plan)) == 0

    def start(self, t: float) -> int:
        return int(self._library.host_start(self._plan, t))

    def values(self, count: int) -> np.ndarray:
        return np.ctypeslib.as_array(self._library.host_values(self._plan), (count,))

    def advance(self, end: float) -> int:
        return int(self._library.host_advance(self._plan, end))

    def save(self) -> bytes:
        state = ctypes.create_string_buffer(self._library.host_state_size(self._plan))
        self._library.host_save(self._plan, state)
        return state.raw

    def restore(self, state: bytes) -> int:
        return int(self._library.host_restore(self._plan, state, len(state)))


@pytest.fixture(scope="module")
def library(compile_c, tmp_path_factory) -> Path:
    """The engine with the kernels of the mixed plan."""
    output = tmp_path_factory.mktemp("host") / "host.so"
    done = compile_c(HOST, output, *EQUAL_FLAGS, "-fPIC", "-shared")
    assert done.returncode == 0, done.stderr
    return output


@pytest.fixture(scope="module")
def whole_libraries(compile_c, tmp_path_factory) -> list[Path]:
    """Every kernel, with the statements that Cython wrote, as binaries have it, and tidied, as source-code FMUs do."""
    folder, libraries = tmp_path_factory.mktemp("whole"), []
    for engine in (ENGINE_C, READABLE_ENGINE_C):
        path = folder / f"{engine.parent.name}.so"
        done = compile_c(HOST, path, "-O0", "-ffp-contract=off", "-fPIC", "-shared", engine=engine)
        assert (done.returncode, done.stderr) == (0, "")
        libraries.append(path)
    return libraries


def test_needs_no_python(whole_libraries):
    command = ["nm", "-D", "--undefined-only", str(whole_libraries[0])]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    symbols = [line.split()[-1].split("@")[0] for line in listed.stdout.splitlines()]
    assert "memcpy" in symbols or "sin" in symbols  # the list is what it is taken for
    assert [symbol for symbol in symbols if re.match("_*Py|__pyx", symbol)] == []
    assert re.findall(r"\w*(?:__pyx|__Pyx|PyObject|CYTHON)\w*", ENGINE_C.read_text(encoding="utf-8")) == []


def test_what_people_read_computes_what_is_compiled(whole_libraries, all_samples):
    libraries = [ctypes.CDLL(str(path)) for path in whole_libraries]
    changed = 0
    for sample in all_samples:
        block = sample()
        plan = make_plan(block, input_shapes={"u": (3,)} if isinstance(block, Selector) else None, step=0.02, end=1.0)
        count = plan.engine().values.size
        hosts = [Host(library, plan.stored) for library in libraries]
        seen = [[] for _ in hosts]
        for host, found in zip(hosts, seen, strict=True):
            found.append(host.start(0.0))
            for point in range(1, 11):
                values = host.values(count)
                for place in plan.inputs.values():
                    values[place.slice] = 2.0 * np.sin(0.9 * point + np.arange(place.count))
                found.append(host.advance(0.1 * point))
                found.append(values.tobytes())
        assert seen[0] == seen[1], sample.name
        changed += len({*seen[0][2::2]}) > 1
    assert changed > 0.9 * len(all_samples), "kernels that are not called compare equal"


@pytest.mark.parametrize("solver", SOLVERS)
def test_same_state_as_in_python_to_the_last_bit(library, mixed_plan, solver):
    plan = mixed_plan(solver)
    engine, host = plan.engine(), Host(ctypes.CDLL(str(library)), plan.stored)
    assert engine.start(0.0) == host.start(0.0) == 0
    for end in (0.5, 0.503, 3.0):
        assert engine.advance(end) == host.advance(end) == 0
        assert engine.save() == host.save()
    assert engine.time == 3.0


def test_state_saved_in_python_goes_on_in_c(library, mixed_plan):
    plan = mixed_plan("rk4")
    engine, host = plan.engine(), Host(ctypes.CDLL(str(library)), plan.stored)
    engine.start(0.0)
    engine.advance(1.0)
    assert host.restore(engine.save()) == 0
    engine.advance(2.0)
    host.advance(2.0)
    assert engine.save() == host.save()


@pytest.mark.slow
def test_sanitizers_find_nothing(compile_c, mixed_plan, tmp_path):
    program = tmp_path / "host"
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DKEELBLOCKS_CHECKED"]
    done = compile_c(HOST, program, "-O1", *sanitizers)
    if done.returncode and "cannot find" in done.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert done.returncode == 0, done.stderr
    for solver in ("rk4", "dopri5"):
        plan = mixed_plan(solver)
        (tmp_path / "plan.bin").write_bytes(plan.stored)
        ran = subprocess.run([str(program), str(tmp_path / "plan.bin"), "3.0"], capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, b""), solver
        engine = plan.engine()
        engine.start(0.0)
        assert len(ran.stdout) == len(engine.save())


def test_functions_and_fields_keep_what_is_said_about_them():
    text = ENGINE_C.read_text(encoding="utf-8")
    said = re.search(r'cdef inline void rk4_step\(.*\n    """(.*)"""', SOLVERS_PXD.read_text(encoding="utf-8"))
    assert said
    assert f"/* {said[1]} */\nstatic inline void rk4_step(Plan *s, double h) {{" in text
    assert re.search(r"STATUS_STOPPED = 2,\s+/\* the stop signal is on \*/", text)


REFUSED = """
cdef double G = 9.81


cdef double of_variable(double x) noexcept nogil:
    return G * x


cdef int of_power(int x, int n) noexcept nogil:
    return x ** n


cdef int of_abs(int x) noexcept nogil:
    return abs(x)


cdef double of_memoryview(double[::1] x) noexcept nogil:
    return x[0]


cdef double of_exception(double x) except? -1.0 nogil:
    return x


cdef double of_raising(double x) noexcept nogil:
    return 2.0 * of_exception(x)


cdef double of_object(object x) noexcept:
    return x


cdef double of_nothing(double x) noexcept nogil:
    return 2.0 * x


cdef void pick_variable() noexcept nogil: of_variable(1.0)
cdef void pick_power() noexcept nogil: of_power(1, 2)
cdef void pick_abs() noexcept nogil: of_abs(1)
cdef void pick_memoryview(double[::1] x) noexcept nogil: of_memoryview(x)
cdef void pick_raising() noexcept nogil: of_raising(1.0)
cdef void pick_object() noexcept: of_object(None)
cdef void pick_nothing() noexcept nogil: of_nothing(1.0)


def python_function(x, double[::1] y):
    pick_variable(); pick_power(); pick_abs(); pick_memoryview(y); pick_raising(); pick_object(); pick_nothing()
"""


@pytest.fixture(scope="module")
def refused(run_cython: Callable[[str], str]) -> str:
    return run_cython(REFUSED)


@pytest.mark.parametrize(
    ("function", "symbol", "reason"),
    [
        ("variable", "__pyx_v_", "a variable of a module; make it an enum, a #define or an inline function"),
        ("power", "__Pyx_pow_", "an integer power; multiply, or take the power of a double"),
        ("abs", "", ""),  # how, differs between versions of Cython
        ("memoryview", "__Pyx_memview", "a memoryview; take a pointer and a size"),
        ("raising", "", "an exception; declare the function noexcept and call only such functions"),
        ("object", "PyObject", "a Python object"),
    ],
)
def test_what_needs_python_is_refused_by_name(refused, function, symbol, reason):
    with pytest.raises(StandaloneError) as refusal:
        extract(refused, below=f"pick_{function}")
    message = str(refusal.value)
    assert message.startswith(f"of_{function} (refused.pyx, line ")
    assert f") needs Python: {symbol}" in message
    assert message.endswith(reason)


def test_only_what_is_used_is_looked_at(refused):
    text = extract(refused, below="pick_nothing")
    assert "static inline double of_nothing(double x) {\n    return 2.0 * x;\n}\n" in text
    assert "of_object" not in text


def test_what_is_compiled_has_the_statements_of_cython(refused):
    assert "    result = (2.0 * x);\n  }\n  goto L0;\n" in extract(refused, below="pick_nothing", form=Form.COMPILED)


def test_traced_statements_name_the_line_that_they_come_from(refused):
    text = extract(refused, below="pick_nothing", form=Form.TRACED)
    line = REFUSED[: REFUSED.index("return 2.0 * x")].count("\n") + 1
    assert f'#line {line} "refused.pyx"\n    result = (2.0 * x);\n' in text
    assert "of_object" not in text


def test_python_function_is_refused(refused):
    with pytest.raises(StandaloneError, match=r"^python_function needs Python: it is a Python function"):
        extract(refused)


def test_unknown_function_is_refused(refused):
    with pytest.raises(StandaloneError, match="there is no function pick_everything to start from"):
        extract(refused, below="pick_everything")


def test_other_c_is_refused():
    with pytest.raises(StandaloneError, match="not C from a Cython known here"):
        extract("int main(void) { return 0; }")


def test_a_variable_that_hides_a_function_is_refused(run_cython):
    text = """
cdef extern from "math.h" nogil:
    double root "sqrt" (double x)


cdef double of_hidden(double sqrt) noexcept nogil:
    return root(sqrt)


cdef void pick_hidden() noexcept nogil: of_hidden(2.0)


def use():
    pick_hidden()
"""
    with pytest.raises(
        StandaloneError, match=r"^of_hidden \(refused\.pyx, line \d+\): its variable 'sqrt' hides what "
    ):
        extract(run_cython(text), below="pick_hidden")
