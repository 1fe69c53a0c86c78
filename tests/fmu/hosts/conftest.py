"""What the tests in foreign tools share: every subject as an FMU, exported once."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from c_host import SANITIZERS, compile_runtime, has_sanitizers
from subjects import BY_NAME, MINERVA, SANITIZED, SUBJECTS, Subject

import fmu
from fmu.exporting.export import INTERFACES, VERSIONS

Export = Callable[..., Path]


def _turns() -> list[object]:
    """A mission with each version and interface, a block by turns with one version in each interface.

    Four hosts would say the same of it; in FMPy it takes the other turns.
    """
    chosen = []
    for number, subject in enumerate(SUBJECTS):
        for version, interface in itertools.product(VERSIONS, INTERFACES):
            its_turn = VERSIONS[(number + INTERFACES.index(interface)) % len(VERSIONS)]
            if subject in MINERVA or version == its_turn:
                chosen.append(pytest.param((subject, version, interface), id=f"{subject.name}-{version}-{interface}"))
    return chosen


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests once per subject, per version of FMI and per interface that they ask for, or by turns."""
    if "turn" in metafunc.fixturenames:
        metafunc.parametrize("turn", _turns(), scope="session")
    for argument, values in {
        "subject": SUBJECTS,
        "version": VERSIONS,
        "interface": INTERFACES,
    }.items():
        if argument in metafunc.fixturenames:
            names = [getattr(value, "name", value) for value in values]
            metafunc.parametrize(argument, values, ids=names, scope="session")


@pytest.fixture(scope="session")
def export(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """The FMU of a subject, with all interfaces that there are; exported once by all processes of the suite."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    def get(subject: Subject, version: str, **options: bool) -> Path:
        path = folder / "subjects" / "_".join([subject.name, version, *options]) / "model.fmu"
        if not path.exists():  # it is there whole or not at all
            path.parent.mkdir(parents=True, exist_ok=True)
            fmu.export(subject.make(), path, step=subject.step, fmi=version, interfaces=INTERFACES, **options)
        return path

    return get


@pytest.fixture(scope="session")
def sanitized_runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The FMU runtime, compiled with sanitizers, with the kernels of what is run in it."""
    folder = tmp_path_factory.mktemp("sanitized")
    if not has_sanitizers(folder):
        pytest.skip("this compiler has no sanitizers")
    kernels = set().union(*(BY_NAME[name].kernels for name in SANITIZED))
    return compile_runtime(folder, "-O0", *SANITIZERS, kernels=kernels)
