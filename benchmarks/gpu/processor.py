"""The CUDA C++ of a model on this processor: the same text by a C++ compiler, with what CUDA adds to the language."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.model import BenchmarkError

FLAGS = ("-O2", "-ffp-contract=off", "-fno-strict-aliasing")
_AHEAD = """\
#include <math.h>
#include <stddef.h>
#include <string.h>
#define __device__
#define __constant__
#define __global__
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads)
struct Index { unsigned int x; };
static Index threadIdx, blockIdx, blockDim, gridDim;
static inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
"""
_BEHIND = """
template <class Kernel, class... Given> static void launch(Kernel kernel, long long members, Given... given)
{{
    blockDim.x = 32;
    gridDim.x = (unsigned int)((members + 31) / 32);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x += 1) {{
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x += 1) {{
            kernel(given...);
        }}
    }}
}}
extern "C" void launch_set_defaults(double *models, long long members)
{{ launch({name}_all_set_defaults, members, models, members); }}
extern "C" void launch_start(double *models, int *status, long long members)
{{ launch({name}_all_start, members, models, status, members); }}
extern "C" void launch_step(double *models, int *status, long long members, long long steps)
{{ launch({name}_all_step, members, models, status, members, steps); }}
extern "C" void launch_parameters_changed(double *models, long long members)
{{ launch({name}_all_parameters_changed, members, models, members); }}
extern "C" void launch_faults(double *models, int *block, int *fault, long long members)
{{ launch({name}_all_faults, members, models, block, fault, members); }}
"""


def with_what_cuda_has(source: str, name: str) -> str:
    """C++ of the text of a model."""
    return _AHEAD + source + _BEHIND.format(name=name)


def library(text: str, folder: Path, flags: Sequence[str] = FLAGS, name: str = "on_processor") -> ctypes.CDLL:
    """C++ compiled into a library in a folder. Raises BenchmarkError if there is no compiler, or it refuses."""
    compiler = next((found for name in ("c++", "g++", "clang++") if (found := shutil.which(name))), None)
    if compiler is None:
        raise BenchmarkError(
            "there is no C++ compiler here (c++, g++, clang++): install one to run it on the processor"
        )
    (folder / f"{name}.cpp").write_text(text, encoding="utf-8")
    command = [compiler, "-std=c++11", *flags, "-shared", "-fPIC", f"{name}.cpp", "-o", f"{name}.so"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"{compiler} does not compile the CUDA C++: {done.stderr[:3000]}")
    return ctypes.CDLL(str(folder / f"{name}.so"))


class OnProcessor:
    """Members of a model on this processor, one after the other."""

    def __init__(
        self, source: str, name: str, rows: int, members: int, folder: Path, flags: Sequence[str] = FLAGS
    ) -> None:
        self.members = members
        self.seconds = 0.0
        self._models = np.full((rows, members), np.nan)
        self._status = np.full(members, -1, dtype=np.int32)
        self.code = library(with_what_cuda_has(source, name), folder, flags)

    def set_defaults(self) -> None:
        """Inputs and parameters as they were written."""
        self.code.launch_set_defaults(self._pointer(self._models), ctypes.c_longlong(self.members))

    def set_row(self, row: int, values: NDArray[np.float64]) -> None:
        """One number of all members."""
        self._models[row] = values

    def row(self, row: int) -> NDArray[np.float64]:
        """One number of all members."""
        return np.array(self._models[row])

    def start(self) -> None:
        """The initial states."""
        pointers = self._pointer(self._models), self._pointer(self._status)
        self.code.launch_start(*pointers, ctypes.c_longlong(self.members))

    def step(self, steps: int) -> None:
        """So many steps, which `seconds` then has the time of."""
        pointers = self._pointer(self._models), self._pointer(self._status)
        began = time.perf_counter()
        self.code.launch_step(*pointers, ctypes.c_longlong(self.members), ctypes.c_longlong(steps))
        self.seconds = time.perf_counter() - began

    def parameters_changed(self) -> None:
        """Take parameters that were set."""
        self.code.launch_parameters_changed(self._pointer(self._models), ctypes.c_longlong(self.members))

    def faults(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Block and fault of each."""
        block, fault = (np.full(self.members, -9, dtype=np.int32) for _ in range(2))
        pointers = self._pointer(self._models), self._pointer(block), self._pointer(fault)
        self.code.launch_faults(*pointers, ctypes.c_longlong(self.members))
        return block, fault

    def status(self) -> NDArray[np.int32]:
        """Of each member."""
        return np.array(self._status)

    @staticmethod
    def _pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)
