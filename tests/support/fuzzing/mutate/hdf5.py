"""Damage to HDF5 files that stay HDF5 files: types, shapes, attributes, names and links; now and then the bytes."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import h5py
import numpy as np

from fuzzing.mutate.raw import raw
from fuzzing.mutate.text import NUMBERS, UNITS, WORDS


def hdf5(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """One to three changes by HDF5 itself; else damage to the bytes."""
    if random.random() < 0.4:
        return raw(random, content, alike)
    memory = io.BytesIO(content)
    # what HDF5 itself refuses, among damage that has been done before, is left at that
    with contextlib.suppress(Exception), h5py.File(memory, "r+") as file:
        for _ in range(random.choice((1, 1, 2, 3))):
            random.choice(_WAYS)(random, file)
    return memory.getvalue()


def _any(random: Random, file: Any, kind: type = object) -> Any:
    found: list[Any] = []
    file.visititems(lambda _name, item: found.append(item) if isinstance(item, kind) else None)
    return random.choice(found)


def _values(random: Random, shape: tuple[int, ...]) -> Any:
    return random.choice((
        np.float64(random.choice((np.nan, np.inf, -1.0, 0.0, 1e300))), b"bytes", "text", np.zeros(0), np.zeros((2, 3)),
        np.zeros(shape),
        np.full(shape, np.nan), np.full(shape, "x", dtype=h5py.string_dtype()), np.zeros(shape, dtype="c16"),
        np.zeros(shape, dtype="?"),
        np.arange(int(np.prod(shape))).reshape(shape)[::-1], np.zeros(shape, dtype=[("a", "f8"), ("b", "i4")]),
        np.full(shape, 2**63 - 1),
        np.zeros((*shape, 2)), h5py.Empty("f8"), np.zeros(shape, dtype="f2"), np.full(shape, 1e20),
        np.full(shape, -1, dtype="i1"),
    ))  # fmt: skip


def _replace(random: Random, file: Any) -> None:
    """The numbers of one quantity by others, of another type or shape."""
    item = _any(random, file, h5py.Dataset)
    name, attributes = item.name, dict(item.attrs)
    shape = item.shape if item.shape and item.size < 10**6 else (3,)
    del file[name]
    made = file.create_dataset(name, data=_values(random, shape))
    for key, value in attributes.items():
        if key not in ("DIMENSION_LIST", "REFERENCE_LIST") or random.random() < 0.5:
            made.attrs[key] = value


def _endless(random: Random, file: Any) -> None:
    """As large as can be said, with nothing in it."""
    item = _any(random, file, h5py.Dataset)
    name = item.name
    del file[name]
    size = random.choice((10**6, 10**9, 10**12, 2**62))
    file.create_dataset(name, shape=(size,), dtype="f8", chunks=(1024,))


def _number(random: Random, file: Any) -> None:
    item = _any(random, file, h5py.Dataset)
    values = item[...]
    values.flat[random.randrange(values.size)] = random.choice((np.nan, np.inf, -1.0, 0.0, 1e300))
    item[...] = values


def _attribute(random: Random, file: Any) -> None:
    item = random.choice((file, _any(random, file)))
    names = [
        *item.attrs,
        "units",
        "calendar",
        "_FillValue",
        "scale_factor",
        "add_offset",
        "dtype",
        "coordinates",
        "axis",
    ]
    name = random.choice(names)
    if random.random() < 0.3:
        del item.attrs[name]
    else:
        item.attrs[name] = random.choice(
            (
                *WORDS[:20],
                *UNITS,
                *NUMBERS,
                "days since 0000-00-00",
                "furlongs since 1",
                np.nan,
                1e300,
                np.zeros(3),
                b"\xff",
            )
        )


def _rename(random: Random, file: Any) -> None:
    item = _any(random, file)
    file.move(item.name, random.choice(("/x", "/time", "/é", "/a/b/c", _any(random, file).name + "2")))


def _remove(random: Random, file: Any) -> None:
    del file[_any(random, file).name]


def _link(random: Random, file: Any) -> None:
    """A name that leads nowhere, to itself, to another file, or to a group."""
    name = _any(random, file).name
    del file[name]
    file[name] = random.choice(
        (h5py.SoftLink(name), h5py.SoftLink("/"), h5py.SoftLink("/nowhere"), h5py.ExternalLink("/dev/zero", "/x"))
    )


_WAYS: tuple[Callable[[Random, Any], None], ...] = (
    _replace, _replace, _replace, _endless, _number, _attribute, _attribute, _attribute, _rename, _remove, _link,
)  # fmt: skip
