"""What the tests in foreign tools share: every subject as an FMU, exported once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from c_host import SANITIZERS, compile_runtime, has_sanitizers
from subjects import SUBJECTS, Subject

import fmu
from fmu.exporting.export import INTERFACES, VERSIONS

Export = Callable[..., Path]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests once per subject, per version of FMI and per interface that they ask for."""
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
    """The FMU of a subject, with all interfaces that there are."""
    folder = tmp_path_factory.mktemp("subjects")

    def get(subject: Subject, version: str, **options: bool) -> Path:
        path = folder / "_".join([subject.name, version, *options]) / "model.fmu"
        if not path.exists():
            path.parent.mkdir()
            fmu.export(subject.make(), path, step=subject.step, fmi=version, interfaces=INTERFACES, **options)
        return path

    return get


@pytest.fixture(scope="session")
def sanitized_runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The FMU runtime, compiled with sanitizers."""
    folder = tmp_path_factory.mktemp("sanitized")
    if not has_sanitizers(folder):
        pytest.skip("this compiler has no sanitizers")
    return compile_runtime(folder, "-O0", *SANITIZERS)
