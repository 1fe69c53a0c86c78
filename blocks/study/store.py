"""A folder in which a study keeps what is done, file by file, so that it can be taken up again.

`study.json` says what the study is. Each file in `members` holds some members, and is written whole or not at all.
"""

from __future__ import annotations

import json
import math
import secrets
import zipfile
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.files import replacing
from blocks.study.errors import StudyError
from blocks.study.provenance import differences, identity
from blocks.study.records import Records

_DESCRIPTION, _MEMBERS = "study.json", "members"


class Store:
    """The folder of one study. Raises StudyError if it belongs to another one or cannot be written."""

    def __init__(self, folder: str | PathLike[str], description: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.parts = self.folder / _MEMBERS
        path = self.folder / _DESCRIPTION
        try:
            self.parts.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._check(path, description)
            elif any(self.parts.iterdir()):
                raise StudyError(f"{self.folder} holds members of a study, but not {_DESCRIPTION}, which says of which")
            else:
                with replacing(path) as part:
                    part.write_text(json.dumps({**description, "hash": identity(description)}, indent=1) + "\n")
        except OSError as problem:
            raise StudyError(f"cannot keep the study in {self.folder}: {problem.strerror or problem}") from None

    def _check(self, path: Path, description: Mapping[str, Any]) -> None:
        there = read_description(path)
        if there.get("hash") != identity(description):
            what = differences(there, json.loads(json.dumps(description)))
            raise StudyError(
                f"{self.folder} holds another study: {what}; take another folder, or delete this one to begin anew"
            )

    def add(self, members: NDArray[np.int64], records: Records) -> None:
        """Keep some members. Raises StudyError."""
        target = self.parts / f"{int(members[0]):010d}-{secrets.token_hex(4)}.npz"
        try:
            with replacing(target, lasting=False) as part, part.open("wb") as file:
                np.savez(
                    file, members=members, status=records.status, end_time=records.end_time, metrics=records.metrics,
                    reasons=np.frombuffer(json.dumps(records.reasons).encode(), dtype=np.uint8),
                )  # fmt: skip
        except OSError as problem:
            raise StudyError(f"cannot keep members in {self.folder}: {problem.strerror or problem}") from None

    def read(self, records: Records) -> None:
        """Take up what is there. A file that is damaged goes, and its members are run again."""
        for members, found in read_members(self.parts, records.metrics.shape[1], remove=True):
            records.add(found, members)


def read_description(path: Path) -> dict[str, Any]:
    """What `study.json` says. Raises StudyError."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError
    except FileNotFoundError:
        raise StudyError(f"there is no study in {path.parent}: it has no file {path.name}") from None
    except (OSError, ValueError) as problem:
        raise StudyError(f"{path} cannot be read as the description of a study: {problem}") from None
    return found


def read_members(folder: Path, metrics: int, *, remove: bool) -> Iterator[tuple[NDArray[np.int64], Records]]:
    """The members in each file; `remove` those that cannot be read."""
    for path in sorted(folder.glob("[0-9]*.npz")):
        try:
            with path.open("rb") as opened, np.load(opened) as file:
                reasons = {int(i): text for i, text in json.loads(bytes(file["reasons"])).items()}
                found = Records(file["status"], file["end_time"], file["metrics"], reasons)
                members = file["members"]
            if found.metrics.shape != (len(members), metrics):
                raise ValueError("its rows do not fit")
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            if remove:
                path.unlink(missing_ok=True)
            continue
        yield members, found


def read_folder(folder: Path) -> tuple[dict[str, Any], Records]:
    """What a folder says of its study and of the members that are done. Raises StudyError."""
    description = read_description(folder / _DESCRIPTION)
    try:
        count = math.prod(description["dimensions"].values())
        records = Records.empty(count, len(description["metrics"]))
    except (KeyError, TypeError, AttributeError, ValueError):
        raise StudyError(f"{folder / _DESCRIPTION} is not the description of a study") from None
    for members, found in read_members(folder / _MEMBERS, records.metrics.shape[1], remove=False):
        if np.all(members < count):
            records.add(found, members)
    return description, records
