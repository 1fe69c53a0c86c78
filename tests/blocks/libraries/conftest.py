"""Libraries beside a test: what they leave in the process is taken away again."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from blocks import library
from blocks.libraries import loading, opening
from blocks.model.block import REGISTERED


@pytest.fixture(autouse=True)
def _forget_libraries() -> Iterator[None]:
    library()
    kept = (dict(REGISTERED), dict(loading._beside), dict(opening._open))
    modules, path = set(sys.modules), [*sys.path]
    yield
    for now, before in zip((REGISTERED, loading._beside, opening._open), kept, strict=True):
        now.clear()
        now.update(before)
    tops = {name.partition(".")[0] for name in loading._beside} | {"one", "two", "mended", "gone"}
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] in tops:
            del sys.modules[name]
    sys.path[:] = path
