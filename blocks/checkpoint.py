"""Checkpoints: the whole state of a run and what it has recorded, in one file that replaces its forerunner at once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.files import replacing
from blocks.plan import Plan

_FORMAT = 1


@dataclass
class Checkpoint:
    """A run that can be taken up again."""

    path: str
    plan: str
    solver: str
    columns: list[str]
    every: int
    wall: float
    state: bytes
    time: NDArray[np.float64]
    data: NDArray[np.float64]
    blocks: dict[str, bytes] = field(default_factory=dict)
    """What blocks written in Python hold besides their states, by the blocks' names."""

    @classmethod
    def of(cls, plan: Plan, engine: Any, recording: Any, wall: float) -> Checkpoint:
        """The present state of a run. Raises SimulationError if a block cannot give its own."""
        held = {runner.name: runner.save() for runner in map(engine.context, plan.python_blocks)}
        return cls(
            "",
            plan.checksum,
            plan.settings.solver,
            list(recording.columns),
            recording.every,
            wall,
            engine.save(),
            recording.time,
            recording.table,
            {name: content for name, content in held.items() if content},
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write to a file beside the target first, so that a crash never leaves half a checkpoint."""
        target = Path(path)
        head = {
            "format": _FORMAT,
            "plan": self.plan,
            "solver": self.solver,
            "columns": self.columns,
            "every": self.every,
            "wall": self.wall,
            "blocks": list(self.blocks),
        }
        held = {f"block{i}": np.frombuffer(content, dtype=np.uint8) for i, content in enumerate(self.blocks.values())}
        try:
            with replacing(target) as part, part.open("wb") as file:
                np.savez(
                    file,
                    head=np.array(json.dumps(head)),
                    state=np.frombuffer(self.state, dtype=np.uint8),
                    time=self.time,
                    data=self.data,
                    **held,  # type: ignore[arg-type]
                )
        except OSError as problem:
            raise SimulationError(f"cannot write the checkpoint {target}: {problem.strerror or problem}") from None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Checkpoint:
        """Read a checkpoint. Raises SimulationError if the file is none."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                head = json.loads(str(stored["head"]))
                if head["format"] != _FORMAT:
                    raise SimulationError(f"{path} is a checkpoint of another format ({head['format']})")
                loaded = cls(
                    str(path),
                    head["plan"],
                    head["solver"],
                    head["columns"],
                    head["every"],
                    head["wall"],
                    stored["state"].tobytes(),
                    stored["time"],
                    stored["data"],
                    {name: stored[f"block{i}"].tobytes() for i, name in enumerate(head.get("blocks", ()))},
                )
                if loaded.data.ndim != 2 or loaded.time.shape != loaded.data.shape[:1]:
                    raise ValueError("the record is not whole")
                return loaded
        except FileNotFoundError:
            raise SimulationError(f"there is no checkpoint {path}") from None
        except SimulationError:
            raise
        except Exception:  # NumPy, zipfile, zlib and json raise many kinds for bytes that are none of theirs
            raise SimulationError(f"{path} is not a checkpoint, or it is damaged") from None

    def restore_blocks(self, plan: Plan, engine: Any) -> None:
        """Give blocks written in Python what they held. Raises SimulationError if one cannot take it up."""
        for runner in map(engine.context, plan.python_blocks):
            runner.restore(self.blocks.get(runner.name, b""))

    def check(self, plan: Plan, recording: Any) -> None:
        """Raise SimulationError if this checkpoint belongs to another diagram, solver or recording."""
        if self.plan != plan.checksum or self.solver != plan.settings.solver:
            raise SimulationError(
                f"{self.path} was written by another diagram, other parameters or another solver; "
                f"resume it with what it was started with"
            )
        if self.columns != list(recording.columns) or self.every != recording.every:
            raise SimulationError(
                f"{self.path} records {', '.join(self.columns)} at every {self.every}. point; record the same to resume"
            )
