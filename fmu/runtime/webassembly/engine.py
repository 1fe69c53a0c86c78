"""The engine in WebAssembly, run from Python by wasmtime: it does what `cython_kernels.engine.Engine` does.

For tests and benchmarks, which compare the two; whoever wants to simulate takes `blocks.simulate`.
"""

from __future__ import annotations

import atexit
import functools
import struct
import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ExportError
from cython_kernels import engine as native
from fmu.runtime.webassembly.module import engine_module


class Host:
    """An instance of the module, in which engines are opened. Raises ExportError if there is no wasmtime."""

    def __init__(self, module: bytes) -> None:
        wasmtime = _wasmtime()
        self._store = wasmtime.Store(_compiled(module).engine)
        exports = wasmtime.Instance(self._store, _compiled(module).module, []).exports(self._store)
        self._functions: Mapping[str, Any] = {name: exports[name] for name in exports}
        self._memory = self._functions["memory"]

    def call(self, name: str, *arguments: float) -> Any:
        """What a function of the module returns."""
        return self._functions[name](self._store, *arguments)

    @property
    def memory(self) -> NDArray[np.uint8]:
        """All of the memory, as it is now: to be asked for anew after calls that make room."""
        return np.frombuffer(self._memory.get_buffer_ptr(self._store), dtype=np.uint8)

    def doubles(self, address: int, count: int) -> NDArray[np.float64]:
        """Numbers in the memory."""
        return self.memory[address : address + 8 * count].view(np.float64)

    def room(self, size: int) -> int:
        """Room for so many bytes. Raises MemoryError if there is none."""
        address: int = self.call("allocate", size)
        if not address:
            raise MemoryError(f"the engine in WebAssembly has no room for {size} bytes")
        return address & 0xFFFFFFFF

    def write(self, content: bytes) -> int:
        """Bytes put into the memory: where."""
        address = self.room(len(content))
        self.memory[address : address + len(content)] = np.frombuffer(content, dtype=np.uint8)
        return address


class Engine:
    """One plan in WebAssembly, with the methods of `cython_kernels.engine.Engine` that a run needs.

    host: what it is opened in; one for all by default. Raises EngineError as that does, and ExportError if there is no
    module here or no wasmtime.
    """

    def __init__(self, stored: bytes, memory: None = None, host: Host | None = None) -> None:
        self.stored = stored
        self.host = _shared_host() if host is None else host
        address = self.host.write(stored)
        self._engine = self.host.call("open", address, len(stored))
        self.host.call("release", address)
        if not self._engine:
            raise MemoryError("the engine in WebAssembly has no room for this plan")
        weakref.finalize(self, self.host.call, "close", self._engine)
        status = self._call("status")
        if status:
            block = self.failure[0]
            raise native.EngineError(native.STATUSES[status] + (f" (block number {block})" if block >= 0 else ""))
        self._table: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        self._room = self._copied = 0

    def _call(self, name: str, *arguments: float) -> Any:
        return self.host.call(name, self._engine, *arguments)

    @property
    def values(self) -> NDArray[np.float64]:
        """All numbers of the plan."""
        return self.host.doubles(self._call("values"), self._call("value_count"))

    def record(self, places: NDArray[np.intc], every: int, time: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Record the values at these places from now on; the rows come into these arrays."""
        address = self.host.write(np.ascontiguousarray(places, dtype=np.intc).tobytes())
        self._room = self._call("record", address, len(places), every, len(time)) & 0xFFFFFFFF
        self.host.call("release", address)
        if len(places) and len(time) and not self._room:
            raise ValueError("record: there are no values at some of the places, or no room")
        self._table, self._copied = (time, out), 0

    def _take_rows(self) -> None:
        if self._table is None or not self._room:
            return
        (time, out), rows = self._table, self.rows
        new = slice(min(self._copied, rows), rows)
        time[new] = self.host.doubles(self._room, len(time))[new]
        out[new] = self.host.doubles(self._room + 8 * len(time), out.size).reshape(out.shape)[new]
        self._copied = self._call("rows_kept")

    @property
    def rows(self) -> int:
        """Rows that are recorded."""
        return int(self._call("rows"))

    def start(self, t: float = 0.0) -> int:
        """Go to the initial state at time t; the status."""
        self._copied = 0
        return int(self._call("start", t))

    def visit(self) -> None:
        """Nothing: there is always room for detours."""

    def come_back(self) -> None:
        """Nothing: `proceed` does so."""

    def proceed(self, end: float, steps: int = 0, closed: bool = False) -> int:
        """Go on to `end`, on a detour if need be, at most so many steps; the status."""
        status = int(self._call("proceed", end, float(steps), int(closed)))
        self._take_rows()
        return status

    def advance(self, end: float, steps: int = 0) -> int:
        """Go on to `end`, at most so many steps; the status."""
        status = int(self._call("advance", end, float(steps)))
        self._take_rows()
        return status

    def refresh(self) -> int:
        """Make the outputs those of the present inputs and parameters; the status."""
        return int(self._call("refresh"))

    def inputs_changed(self) -> None:
        """Nothing: inputs are compared with those before."""

    def parameters_changed(self) -> None:
        """Say that parameters in `values` were written."""
        self._call("parameters_changed")

    def save(self) -> bytes:
        """The whole state."""
        size = self._call("state_size")
        address = self.host.room(size)
        self._call("save", address)
        saved = self.host.memory[address : address + size].tobytes()
        self.host.call("release", address)
        return saved

    def restore(self, state: bytes) -> None:
        """Take up a saved state. Raises EngineError if it belongs to another plan or is damaged."""
        address = self.host.write(state)
        status = self._call("restore", address, len(state))
        self.host.call("release", address)
        if status:
            raise native.EngineError(native.STATUSES[status])

    @property
    def stopped(self) -> bool:
        """True if the last call ended at the stop signal."""
        return native.STATUSES[self._call("status")] == "stopped"

    @property
    def time(self) -> float:
        """Where the clock stands, s."""
        return float(self._call("time"))

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return int(self._call("steps"))

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side since the start."""
        return int(self._call("evaluations"))

    @property
    def failure(self) -> tuple[int, str, int, int, float]:
        """Of the last stop: block, part, element, fault, time."""
        address = self._call("failure") & 0xFFFFFFFF
        block, part, element, fault, t = struct.unpack("<iiiid", self.host.memory[address : address + 24].tobytes())
        return block, native.PARTS[part], element, fault, t


class _Compiled:
    def __init__(self, module: bytes) -> None:
        wasmtime = _wasmtime()
        self.engine = wasmtime.Engine()
        self.module = wasmtime.Module(self.engine, module)


@functools.lru_cache(maxsize=4)
def _compiled(module: bytes) -> _Compiled:
    return _Compiled(module)


@functools.cache
def _shared_host() -> Host:
    return Host(engine_module())


@atexit.register
def _let_go() -> None:
    """Ahead of the end of the interpreter, which takes away what wasmtime closes its things with."""
    _shared_host.cache_clear()
    _compiled.cache_clear()


def _wasmtime() -> Any:
    try:
        import wasmtime
    except ImportError:
        raise ExportError("running WebAssembly from Python needs wasmtime: pip install wasmtime") from None
    return wasmtime
