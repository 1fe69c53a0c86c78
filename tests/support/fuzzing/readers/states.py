"""What Keelblocks keeps for itself: checkpoints, members of studies, plans."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from savers import system

from blocks import simulate
from blocks.study import Study
from cython_kernels import engine
from fuzzing.mutate.plan import plan
from fuzzing.mutate.sealed import sealed
from fuzzing.mutate.text import text
from fuzzing.reader import EXAMPLES, Reader

END = 0.5


def _checkpoints(folder: Path) -> Mapping[str, bytes]:
    path = folder / "run.ckpt"
    simulate(system(0), END, step=0.1, checkpoint=path)
    return {"run.ckpt": path.read_bytes()}


def _resume(path: Path) -> Any:
    """Go on from it to a later end."""
    return simulate(system(0), 2 * END, step=0.1, resume=path)


def _study() -> Study:
    return Study(system(0), {"lag.time_constant": [0.5, 1.0, 2.0]}, {"last": "final(gain.y)"}, end=END, step=0.1)


def _members(folder: Path) -> Mapping[str, bytes]:
    _study().run("serial", folder=folder / "study", batch=2)
    found = sorted((folder / "study").rglob("*.*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file()}


def _go_on(path: Path) -> Any:
    """The study goes on from what is there; what it runs anew goes again, for the next case."""
    folder = path.parent.parent if path.parent.name == "members" else path.parent
    before = {*folder.rglob("*")}
    try:
        return _study().run("serial", folder=folder)
    finally:
        for new in {*folder.rglob("*")} - before:
            new.unlink()


def _mutate_member(random: Any, content: bytes, alike: Any) -> bytes:
    return sealed(random, content, alike) if content[:2] == b"PK" else text(random, content, alike)


def _plans(folder: Path) -> Mapping[str, bytes]:
    from blocks.scenario import Scenario

    small = system(0).plan()
    survey = Scenario.load(EXAMPLES / "minerva_survey.yaml").plan()
    return {"lag.bin": small.stored, "survey.bin": survey.stored}


READERS = (
    Reader("checkpoint", _checkpoints, _resume, sealed, 10),
    Reader("member", _members, _go_on, _mutate_member, 4),
    Reader("plan", _plans, lambda path: engine.Engine(path.read_bytes()), plan, 36, (engine.EngineError,)),
)
