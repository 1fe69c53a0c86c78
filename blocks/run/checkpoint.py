"""Checkpoints: the whole state of a run and what it has recorded, in one file that replaces its forerunner at once."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.files.arrays import Damaged, read_arrays, write_arrays
from blocks.files.writing import path_of, replacing
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
    instant: float = -math.inf
    """Where a run was seen last, if that is beyond the step to which its state belongs, s."""
    parameters: dict[str, Any] = field(default_factory=dict)
    """What was set after the diagram was made."""

    @classmethod
    def of(cls, plan: Plan, engine: Any, recording: Any, wall: float, instant: float = -math.inf) -> Checkpoint:
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
            instant,
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write to a file beside the target first, so that a crash never leaves half a checkpoint."""
        target = path_of(path, "a checkpoint", SimulationError)
        head = {
            "format": _FORMAT,
            "plan": self.plan,
            "solver": self.solver,
            "columns": self.columns,
            "every": self.every,
            "wall": self.wall,
            "blocks": list(self.blocks),
            "instant": self.instant.hex(),
            "parameters": self.parameters,
        }
        held = {f"block{i}": np.frombuffer(content, dtype=np.uint8) for i, content in enumerate(self.blocks.values())}
        try:
            with replacing(target) as part, part.open("wb") as file:
                state = np.frombuffer(self.state, dtype=np.uint8)
                write_arrays(
                    file,
                    {"head": np.array(json.dumps(head)), "state": state, "time": self.time, "data": self.data, **held},
                )
        except OSError as problem:
            raise SimulationError(f"cannot write the checkpoint {target}: {problem.strerror or problem}") from None

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Checkpoint:
        """Read a checkpoint. Raises SimulationError if the file is none."""
        file = path_of(path, "a checkpoint", SimulationError)
        try:
            stored = read_arrays(file)
            head = json.loads(str(stored["head"]))
            if not isinstance(head, dict):
                raise Damaged("it says nothing of its run")
            if head.get("format") != _FORMAT:
                raise SimulationError(f"{path} is a checkpoint of another format ({head.get('format')!r})")
            blocks = _texts(head, "blocks")
            loaded = cls(
                str(path),
                _of(head, "plan", str),
                _of(head, "solver", str),
                _texts(head, "columns"),
                _of(head, "every", int),
                _of(head, "wall", float),
                _bytes(stored["state"]),
                stored["time"],
                stored["data"],
                {name: _bytes(stored[f"block{i}"]) for i, name in enumerate(blocks)},
                float.fromhex(head.get("instant", "-inf")),
                dict(head.get("parameters", {})),
            )
            loaded._check_record()
            return loaded
        except FileNotFoundError:
            raise SimulationError(f"there is no checkpoint {path}") from None
        except OSError as problem:
            raise SimulationError(f"cannot read the checkpoint {path}: {problem.strerror or problem}") from None
        except KeyError as problem:
            raise SimulationError(f"{path} is not a checkpoint, or it is damaged: it has no {problem}") from None
        except (Damaged, TypeError, ValueError, OverflowError, RecursionError) as problem:
            raise SimulationError(f"{path} is not a checkpoint, or it is damaged: {problem}") from None

    def _check_record(self) -> None:
        """Raise Damaged unless what was recorded can be the record of a run."""
        if self.every < 1 or not 0.0 <= self.wall < float("inf"):
            raise Damaged("what it says of its run cannot be")
        if self.time.dtype != np.float64 or self.data.dtype != np.float64:
            raise Damaged("its record is no record of numbers")
        if self.data.ndim != 2 or self.time.shape != self.data.shape[:1]:
            raise Damaged("its record is not whole")
        if not np.all(np.isfinite(self.time)) or np.any(np.diff(self.time) < 0.0):
            raise Damaged("the times of its record do not increase")

    def restore_blocks(self, plan: Plan, engine: Any) -> None:
        """Give blocks written in Python what they held. Raises SimulationError if one cannot take it up."""
        for runner in map(engine.context, plan.python_blocks):
            runner.restore(self.blocks.get(runner.name, b""))

    def check(self, plan: Plan, recording: Any) -> None:
        """Raise SimulationError if this checkpoint belongs to another diagram, solver or recording."""
        if self.plan != plan.checksum or self.solver != plan.settings.solver:
            kernels = ", other kernels of " + ", ".join(plan.digests) if plan.digests else ""
            raise SimulationError(
                f"{self.path} was written by another diagram, other parameters{kernels} or another solver; "
                f"resume it with what it was started with"
            )
        if self.columns != list(recording.columns) or self.every != recording.every:
            raise SimulationError(
                f"{self.path} records {', '.join(self.columns)} at every {self.every}. point; record the same to resume"
            )
        if self.data.shape[1] != recording.table.shape[1]:
            raise SimulationError(
                f"{self.path} is not a checkpoint, or it is damaged: its record has {self.data.shape[1]} columns, not "
                f"{recording.table.shape[1]}"
            )


def _of(head: dict[str, Any], name: str, kind: type) -> Any:
    """An entry. Raises Damaged if it is of another kind."""
    value = head[name]
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise Damaged(f"its {name} is {value!r}")
    try:
        return kind(value)
    except OverflowError:  # a whole number of hundreds of digits
        raise Damaged(f"its {name} is no number that there can be") from None


def _texts(head: dict[str, Any], name: str) -> list[str]:
    """An entry that lists different names. Raises Damaged."""
    value = head[name]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value) or len({*value}) != len(value):
        raise Damaged(f"its {name} are no list of names")
    return value


def _bytes(array: NDArray[Any]) -> bytes:
    if array.dtype != np.uint8 or array.ndim != 1:
        raise Damaged("a state in it is none")
    return array.tobytes()
