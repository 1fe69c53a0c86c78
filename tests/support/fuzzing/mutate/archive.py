"""Damage to zip files that stay zip files: what is in them, their names, and now and then the zip itself."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from random import Random

from fuzzing.mutate.arrays import npy
from fuzzing.mutate.raw import raw
from fuzzing.mutate.text import text

NAMES = (
    "../x",
    "/x",
    "a/../../x",
    "C:\\x",
    "x\x00y",
    "n" * 300,
    "a/" * 50 + "x",
    ".",
    "",
    "con",
    "é",
    "resources/",
    "modelDescription.xml",
)


def archive(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """One member damaged, named otherwise, left out, doubled or put in; else the bytes of the zip."""
    if random.random() < 0.2:
        return raw(random, content, alike)
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        members = [(info.filename, source.read(info)) for info in source.infolist()]
    random.choice(_WAYS)(random, members)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name, data in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = random.choice((zipfile.ZIP_DEFLATED,) * 8 + (zipfile.ZIP_STORED, zipfile.ZIP_BZIP2))
            if random.random() < 0.01:
                info.external_attr = 0o120777 << 16  # a link
            target._didModify = True  # type: ignore[attr-defined]  # names twice are what is wanted: no warning
            target.NameToInfo.pop(name, None)
            target.writestr(info, data)
    return written.getvalue()


Members = list[tuple[str, bytes]]


def _inside(random: Random, members: Members) -> None:
    """Small ones and XML more often: they say what the others are."""
    likely = [i for i, (name, data) in enumerate(members) if name.endswith((".xml", ".ssd", ".ssv", ".ssm", ".npy"))]
    number = random.choice(likely if likely and random.random() < 0.9 else range(len(members)))
    name, data = members[number]
    kind = npy if name.endswith(".npy") else text if number in likely else raw
    members[number] = name, kind(random, data, [data])


def _name(random: Random, members: Members) -> None:
    number = random.randrange(len(members))
    members[number] = random.choice((*NAMES, random.choice(members)[0])), members[number][1]


def _leave_out(random: Random, members: Members) -> None:
    del members[random.randrange(len(members))]


def _double(random: Random, members: Members) -> None:
    members.append(random.choice(members))


def _put_in(random: Random, members: Members) -> None:
    content = random.choice((b"", b"\0" * 100_000_000 if random.random() < 0.05 else b"\0", random.randbytes(100)))
    members.append((random.choice(NAMES), content))


_WAYS: tuple[Callable[[Random, Members], None], ...] = (
    *(_inside,) * 12, _name, _leave_out, _double, _put_in,
)  # fmt: skip
