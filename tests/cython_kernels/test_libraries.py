"""The register of compiled libraries: what plans find by the name of a kernel, and what is refused."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from handmade_library import compile_library

from cython_kernels import libraries
from cython_kernels.engine import kernel_counts


def address_of(path: Path) -> int:
    """Where the description of a library stands, once it is open."""
    give = ctypes.CDLL(str(path)).keelblocks_library
    give.restype = ctypes.c_void_p
    found = give()
    assert isinstance(found, int)
    return found


def test_kernels_of_libraries_are_found_by_their_full_names(tmp_path: Path) -> None:
    for name in ("registered_one", "registered_one_more"):  # the one begins like the other
        libraries.add(address_of(compile_library(tmp_path / f"{name}.so", name)))
        assert kernel_counts(f"{name}.drag") == (1, 1, 1, 0, False, False, True, False, False, False, False)
    for wrong in ("drag", "registered_one.dra", "registered_one.drag2", "registered_one", "registered_on.drag"):
        assert kernel_counts(wrong) is None


def test_a_library_tells_what_it_is(tmp_path: Path) -> None:
    there = address_of(compile_library(tmp_path / "told.so", "told", kernel="lift", digest="12ab"))
    assert libraries.abi_of(there) == libraries.ABI == 1
    told = {"name": "told", "digest": "12ab", "kernels": ("lift",), "checked": False}
    assert libraries.describe(there) == told


def test_another_abi_and_what_is_no_library_are_refused(tmp_path: Path) -> None:
    other = address_of(compile_library(tmp_path / "other.so", "other_abi", abi=2))
    assert libraries.abi_of(other) == 2
    with pytest.raises(ValueError, match="it was built for ABI 2, and this is ABI 1"):
        libraries.add(other)
    with pytest.raises(ValueError, match="no compiled library of Keelblocks"):
        libraries.add(address_of(compile_library(tmp_path / "none.so", "none", magic="ELSE")))
    assert kernel_counts("other_abi.drag") is None
    with pytest.raises(ValueError, match="no compiled library"):
        libraries.abi_of(0)
