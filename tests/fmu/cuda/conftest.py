"""An NVRTC, and models in CUDA C++ on the processor."""

from __future__ import annotations

import pytest

from benchmarks.gpu.nvrtc import Nvrtc, found
from benchmarks.model import BenchmarkError


@pytest.fixture(scope="session")
def nvrtc() -> Nvrtc:
    """Skips where it is not there, and says how it is had."""
    try:
        return found()
    except BenchmarkError as problem:
        pytest.skip(str(problem))
