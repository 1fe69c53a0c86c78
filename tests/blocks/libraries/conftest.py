"""Libraries beside a test: what they leave in the process is taken away again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from libraries import forgetting

from blocks import library
from blocks.libraries import loading, opening


@pytest.fixture(autouse=True)
def _forget_libraries() -> Iterator[None]:
    library()
    beside, opened = dict(loading._beside), dict(opening._open)
    with forgetting():
        yield
    loading._beside.clear()
    loading._beside.update(beside)
    opening._open.clear()
    opening._open.update(opened)
