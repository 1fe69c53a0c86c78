"""The CUDA driver by ctypes: one card, a module, its kernels, memory, and times by events."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.model import BenchmarkError

LIBRARIES = ("libcuda.so.1", "libcuda.so", "nvcuda.dll")
ATTRIBUTES = {
    "clock_khz": 13, "processors": 16, "memory_clock_khz": 36, "bus_bits": 37, "cache_bytes": 38,
    "threads_per_processor": 39, "major": 75, "minor": 76, "singles_per_double": 87,
}  # fmt: skip
"""Of a device, by their numbers in cuda.h."""
_LOCAL_BYTES, _REGISTERS = 3, 4


class NoCard(BenchmarkError):
    """There is no GPU that could be used."""


class Driver:
    """The first card, with a context."""

    def __init__(self) -> None:
        self._library = _opened()
        code = self._library.cuInit(0)
        if code:
            raise NoCard(f"there is no GPU: a CUDA driver is here, and cuInit says: {self._said(code)}")
        count = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(count))
        if not count.value:
            raise NoCard("there is no GPU: a CUDA driver is here, and knows of no device")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self._device = device

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver. Raises BenchmarkError with what the driver says."""
        code = getattr(self._library, name)(*arguments)
        if code:
            raise BenchmarkError(f"the CUDA driver refuses {name}: {self._said(code)}")

    @property
    def name(self) -> str:
        """What the card is called."""
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self._device)
        return text.value.decode()

    @property
    def version(self) -> tuple[int, int]:
        """The newest CUDA that the driver knows."""
        number = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(number))
        return number.value // 1000, number.value % 1000 // 10

    def attributes(self) -> dict[str, int]:
        """What the device says of itself."""
        found = {}
        for name, number in ATTRIBUTES.items():
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self._device)
            found[name] = value.value
        return found

    def free_bytes(self) -> int:
        """Of the card's memory."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def allocated(self, size: int) -> ctypes.c_uint64:
        """Memory of the card, in bytes; the process keeps it to its end."""
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def put(self, pointer: int, values: NDArray[Any]) -> None:
        """Copy to the card."""
        there, size = ctypes.c_uint64(pointer), ctypes.c_size_t(values.nbytes)
        self.call("cuMemcpyHtoD_v2", there, ctypes.c_void_p(values.ctypes.data), size)

    def get(self, pointer: int, values: NDArray[Any]) -> None:
        """Copy from the card."""
        there, size = ctypes.c_uint64(pointer), ctypes.c_size_t(values.nbytes)
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(values.ctypes.data), there, size)

    def module(self, cubin: bytes) -> ctypes.c_void_p:
        """Load machine code."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        return module

    def kernel(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        found = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(found), module, name.encode())
        return found

    def registers_and_local_bytes(self, kernel: ctypes.c_void_p) -> tuple[int, int]:
        """Of a thread."""
        found = []
        for number in (_REGISTERS, _LOCAL_BYTES):
            value = ctypes.c_int()
            self.call("cuFuncGetAttribute", ctypes.byref(value), number, kernel)
            found.append(value.value)
        return found[0], found[1]

    def launch(self, kernel: ctypes.c_void_p, blocks: int, threads: int, arguments: Sequence[Any]) -> float:
        """Run a kernel to its end; its time on the card, s."""
        begin, end, elapsed = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
        given = (ctypes.c_void_p * len(arguments))(*(ctypes.cast(ctypes.byref(a), ctypes.c_void_p) for a in arguments))
        for event in (begin, end):
            self.call("cuEventCreate", ctypes.byref(event), 0)
        self.call("cuEventRecord", begin, None)
        self.call("cuLaunchKernel", kernel, blocks, 1, 1, threads, 1, 1, 0, None, given, None)
        self.call("cuEventRecord", end, None)
        self.call("cuEventSynchronize", end)
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), begin, end)
        for event in (begin, end):
            self.call("cuEventDestroy_v2", event)
        return elapsed.value / 1000.0

    def _said(self, code: int) -> str:
        text = ctypes.c_char_p()
        self._library.cuGetErrorString(code, ctypes.byref(text))
        return f"{(text.value or b'error').decode()} ({code})"


class OnCard:
    """Members of a model on a card, a thread for each."""

    def __init__(self, driver: Driver, cubin: bytes, name: str, rows: int, members: int, threads: int = 128) -> None:
        self.members = members
        self.seconds = 0.0
        self._driver, self._threads = driver, threads
        module = driver.module(cubin)
        names = ("set_defaults", "start", "step")
        self.kernels = {what: driver.kernel(module, f"{name}_all_{what}") for what in names}
        self._models, self._status = driver.allocated(8 * rows * members), driver.allocated(4 * members)

    def set_defaults(self) -> None:
        """Inputs and parameters as they were written."""
        self._launch("set_defaults", self._models)

    def set_row(self, row: int, values: NDArray[np.float64]) -> None:
        """One number of all members."""
        self._driver.put(self._models.value + 8 * row * self.members, np.ascontiguousarray(values, dtype=np.float64))

    def row(self, row: int) -> NDArray[np.float64]:
        """One number of all members."""
        found = np.empty(self.members)
        self._driver.get(self._models.value + 8 * row * self.members, found)
        return found

    def start(self) -> None:
        """The initial states."""
        self._launch("start", self._models, self._status)

    def step(self, steps: int) -> None:
        """So many steps, which `seconds` then has the time of."""
        self.seconds = self._launch("step", self._models, self._status, steps=steps)

    def status(self) -> NDArray[np.int32]:
        """Of each member."""
        found = np.empty(self.members, dtype=np.int32)
        self._driver.get(self._status.value, found)
        return found

    def _launch(self, what: str, *pointers: ctypes.c_uint64, steps: int | None = None) -> float:
        arguments: list[Any] = [*pointers, ctypes.c_longlong(self.members)]
        if steps is not None:
            arguments.append(ctypes.c_longlong(steps))
        blocks = -(-self.members // self._threads)
        return self._driver.launch(self.kernels[what], blocks, self._threads, arguments)


def _opened() -> ctypes.CDLL:
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise NoCard(f"there is no GPU: no driver for CUDA is here (looked for {', '.join(LIBRARIES)})")
