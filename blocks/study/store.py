"""A folder in which a study keeps what is done, file by file, so that it can be taken up again.

`study.json` says what the study is. Each file in `members` holds some members, and is written whole or not at all. It
says of which study they are, and has a checksum of all that: what does not hold is set aside and run again.
"""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.files.arrays import Damaged, read_arrays, write_arrays
from blocks.files.writing import is_folder, path_of, replacing
from blocks.study.errors import StudyError
from blocks.study.kept import Kept, checked_members, shape_of
from blocks.study.provenance import differences, identity
from blocks.study.records import Records

_DESCRIPTION, _MEMBERS, _ASIDE = "study.json", "members", ".damaged"
_SHOWN = 3

_log = logging.getLogger("keelblocks.study")


class Store:
    """The folder of one study. Raises StudyError if it belongs to another one or cannot be written."""

    def __init__(self, folder: str | PathLike[str], description: Mapping[str, Any]) -> None:
        self.folder = path_of(folder, "the folder of a study", StudyError)
        self.parts = self.folder / _MEMBERS
        self.identity = identity(description)
        path = self.folder / _DESCRIPTION
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise StudyError(f"cannot keep the study in {self.folder}: {problem.strerror or problem}") from None
        try:
            if path.exists():
                self._check(path, description)
            elif any(self.parts.iterdir()):
                raise StudyError(f"{self.folder} holds members of a study, but not {_DESCRIPTION}, which says of which")
            if not path.exists():
                with replacing(path) as part:
                    part.write_text(json.dumps({**description, "hash": self.identity}, indent=1) + "\n")
        except OSError as problem:
            if not is_folder(self.folder):
                raise self._vanished() from None
            raise StudyError(f"cannot keep the study in {self.folder}: {problem.strerror or problem}") from None

    def _check(self, path: Path, description: Mapping[str, Any]) -> None:
        try:
            there = read_description(path)
        except StudyError as problem:  # members say themselves of which study they are
            _log.warning("%s; it is kept as %s and written anew", problem, _aside(path).name)
            return
        if there["hash"] != self.identity:
            what = differences(there, json.loads(json.dumps(description)))
            raise StudyError(
                f"{self.folder} holds another study: {what}; take another folder, or delete this one to start over"
            )

    @property
    def is_there(self) -> bool:
        """False if the folder, or what says of which study it is, has been moved or deleted."""
        return (self.folder / _DESCRIPTION).is_file()

    def add(self, members: NDArray[np.int64], records: Records) -> None:
        """Keep some members. Raises StudyError."""
        if not self.is_there:
            raise self._vanished()
        target = self.parts / f"{int(members[0]):010d}-{secrets.token_hex(4)}.npz"
        try:
            with replacing(target, lasting=False) as part, part.open("wb") as file:
                write_arrays(
                    file,
                    {
                        "study": self.identity, "members": members, "status": records.status,
                        "end_time": records.end_time, "metrics": records.metrics,
                        "reasons": json.dumps(records.reasons),
                    },
                )  # fmt: skip
        except OSError as problem:
            if not self.is_there:
                raise self._vanished() from None
            raise StudyError(f"cannot keep members in {self.folder}: {problem.strerror or problem}") from None

    def _vanished(self) -> StudyError:
        return StudyError(
            f"the folder {self.folder}, in which the study was kept, has vanished while it ran: nothing is kept "
            f"there; run it again, in a folder that stays"
        )

    def read(self, records: Records, start: float, end: float) -> None:
        """Take up what is there. A file that does not hold is set aside, and its members are run again."""
        members, metrics = records.metrics.shape
        kept = Kept(self.identity, members, metrics, start, end)
        for which, found in read_members(self.parts, kept, aside=True):
            records.add(found, which)


def _aside(path: Path) -> Path:
    """Rename a file, so that it is out of the way and not lost."""
    target = path.with_name(path.name + _ASIDE)
    path.replace(target)
    return target


def read_description(path: Path) -> dict[str, Any]:
    """What `study.json` says. Raises StudyError if that is not what was written."""
    try:
        found = _parsed(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or not isinstance(found.get("hash"), str):
            raise ValueError("it has no hash")
        if found["hash"] != identity(found):
            raise ValueError("it was changed: its hash does not match")
    except FileNotFoundError:
        raise StudyError(f"there is no study in {path.parent}: it has no file {path.name}") from None
    except (OSError, ValueError) as problem:
        raise StudyError(f"{path} cannot be read as the description of a study: {problem}") from None
    return found


def _parsed(text: str) -> Any:
    """What JSON says. Raises ValueError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def read_members(folder: Path, kept: Kept, *, aside: bool) -> Iterator[tuple[NDArray[np.int64], Records]]:
    """The members in each file that holds; others are named in a warning, and put `aside`."""
    wrong: list[str] = []
    for path in sorted(folder.glob("[0-9]*.npz")):
        try:
            found = checked_members(read_arrays(path), kept)
        except (OSError, Damaged) as problem:
            wrong.append(f"{path.name}: {problem}")
            if aside:
                with contextlib.suppress(OSError):  # in a folder that cannot be written it stays where it is
                    _aside(path)
            continue
        yield found
    if wrong:
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        _log.warning(
            "%d %s of members in %s %s not hold, and what %s is run again%s: %s%s", len(wrong),
            "file" if len(wrong) == 1 else "files", folder, "does" if len(wrong) == 1 else "do",
            "it had" if len(wrong) == 1 else "they had",
            f" ({'it is' if len(wrong) == 1 else 'they are'} kept with the ending {_ASIDE})" if aside else "",
            "; ".join(wrong[:_SHOWN]), more,
        )  # fmt: skip


def read_folder(folder: Path) -> tuple[dict[str, Any], Records]:
    """What a folder says of its study and of the members that are done. Raises StudyError."""
    description = read_description(folder / _DESCRIPTION)
    try:
        kept = shape_of(description)
    except Damaged as problem:
        raise StudyError(f"{folder / _DESCRIPTION} is not the description of a study: {problem}") from None
    records = Records.empty(kept.members, kept.metrics)
    for members, found in read_members(folder / _MEMBERS, kept, aside=False):
        records.add(found, members)
    return description, records
