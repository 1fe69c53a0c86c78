"""What all tests share: a sample of every block of the library, so that a new block is tested by existing.

A test that takes the argument `sample` runs once for each of them; `sample()` makes a fresh block; `make_sample`
is there for tests that need blocks by name. Samples are the `examples` of the classes.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from libraries import CAN_BUILD, WHY_NOT, made_library

# Before NumPy is there, and for all processes that tests start: there is a process for each core already.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from blocks.block import Block, library
from blocks.libraries.package import Library
from blocks.trials.samples import Sample, samples_of
from cython_kernels import engine

sys.path.append(str(Path(__file__).parents[1]))  # for benchmarks; last, for what is tested may be an installed wheel


def pytest_configure() -> None:
    """Hear Ctrl-C, which tests send: what a shell starts in the background ignores it, and so does what that starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    """Say which build is tested."""
    return f"keelblocks: {'checked ' if engine.CHECKED_BUILD else ''}build in {Path(engine.__file__).parent}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in a folder of its own: it leaves nothing behind, and processes that it starts see what it sees.

    A process started in the source folder would import that, where this one may have an installed build.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(engine.__file__).parents[1]))


@pytest.fixture(scope="session")
def built_library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A compiled library with one block, `Drag`: as the template has it. Skips where nothing compiles C."""
    if not CAN_BUILD:
        pytest.skip(WHY_NOT)
    return made_library(tmp_path_factory.mktemp("libraries"))


def _own_blocks() -> dict[str, type[Block]]:
    """The blocks of this library; what tests declare is not among them."""
    return {name: cls for name, cls in library().items() if cls.__module__.split(".")[0] == "blocks"}


def _all_samples() -> list[Sample]:
    return [sample for cls in _own_blocks().values() for sample in samples_of(cls)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that take `sample` once per block and sample."""
    if "sample" in metafunc.fixturenames:
        samples = _all_samples()
        metafunc.parametrize("sample", samples, ids=[sample.name for sample in samples])


@pytest.fixture(scope="session")
def library_blocks() -> list[type[Block]]:
    """Every block of the library."""
    return list(_own_blocks().values())


@pytest.fixture(scope="session")
def all_samples() -> list[Sample]:
    """Every sample, for tests that take them all at once."""
    return _all_samples()


@pytest.fixture(scope="session")
def make_sample() -> Callable[[str], Block]:
    """Makes a block of the library by its name, with the first of its samples."""
    return lambda name: samples_of(library()[name])[0]()
