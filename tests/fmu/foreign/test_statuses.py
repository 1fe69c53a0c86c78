"""A status that FMI does not have is an error, whichever function gives it, in every version and interface."""

from __future__ import annotations

from ctypes import c_int
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign_fmus import build

from blocks.errors import FmuError
from fmu import FmuBlock
from fmu.foreign.instance import Instance
from fmu.foreign.model_exchange import make_instance

MODELS = {"tank": ("cs", 2), "ball": ("me", 2), "mixer": ("cs", 3), "pendulum": ("me", 3),
          "tank_fmi1": ("cs", 1), "ball_fmi1": ("me", 1)}  # fmt: skip


class Wrong:
    """In place of a function of an FMU."""

    restype = c_int
    argnames, argtypes = (), ()

    def __init__(self, status: int) -> None:
        self.status = status

    def __call__(self, *arguments: Any) -> int:
        return self.status


def instance_of(model: str, path: Path) -> Instance:
    block = FmuBlock(path, 0.1, interface=MODELS[model][0])
    return make_instance(block._spec(), "it")


def run(instance: Instance) -> None:
    instance.begin(0.0)
    for _ in range(3):
        inputs = np.full(instance.spec.input_width, 1.0 + instance.k)
        instance.read(inputs)
        instance.step(inputs)


def called(model: str, path: Path) -> list[str]:
    """The functions with a status that a run calls."""
    instance = instance_of(model, path)
    names: list[str] = []
    checked = instance.fmu._call

    def note(name: str, *arguments: Any) -> Any:
        names.append(name)
        return checked(name, *arguments)

    instance.fmu._call = note
    run(instance)
    return sorted({name for name in names if instance.fmu._functions[name].restype is c_int})


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    return request.param, build(request.param, tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize("status", [-1, 6, 2**31 - 1])
def test_a_status_that_is_none_stops_the_run(model: tuple[str, Path], status: int) -> None:
    name, path = model
    names = called(name, path)
    assert any(function.endswith(("DoStep", "Derivatives")) for function in names)
    assert len(names) >= 5
    for function in names:
        instance = instance_of(name, path)
        instance.fmu._functions[function] = Wrong(status)
        said = (
            rf"{name}.fmu: .* gave the status {status}, which FMI {MODELS[name][1]} does not have there \({function}\)"
        )
        if function.endswith(("Terminate", "TerminateSlave")):  # at the end of a run, which has its results
            run(instance)
            continue
        with pytest.raises(FmuError, match=said):
            run(instance)


@pytest.mark.parametrize("model", ["tank", "ball"])
def test_a_saved_state_that_is_none_is_an_error(model: str, tmp_path: Path) -> None:
    """As a checkpoint may give it; of a good one every kind of damage is told or does nothing."""
    instance = instance_of(model, build(model, tmp_path))
    run(instance)
    good = instance.save()
    size = int.from_bytes(good[:4], "little")
    head, rest = good[4 : 4 + size], good[4 + size :]

    def packed(text: bytes, behind: bytes = rest) -> bytes:
        return len(text).to_bytes(4, "little") + text + behind

    bad = [b"", b"\1", packed(b""), packed(b"[]"), packed(b"{}"), packed(b"[" * 100_000), packed(head, rest[:9]),
           b"\xff" * 40, packed(head.replace(b'"k": 3', b'"k": -3')), packed(head.replace(b'"k": 3', b'"k": "3"')),
           packed(head.replace(b'"live": true', b'"live": 1'))]  # fmt: skip
    if model == "ball":
        bad += [packed(head.replace(b'"in_event_mode"', b'"mode"')), packed(head.replace(b"next_event", b"x"))]
    for saved in bad:
        assert saved != good
        with pytest.raises(FmuError, match=rf"{model}.fmu: what was saved is no state of it"):
            instance.restore(saved)
    instance.restore(good)
    assert instance.k == 3
