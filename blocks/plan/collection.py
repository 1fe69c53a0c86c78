"""Python's search for garbage in circles, put off while nothing of the kind is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def put_off() -> Iterator[None]:
    """Search for no garbage in the meantime, and then as before.

    The passes keep most of what they make, and each search goes over all of that again: with 10 000 blocks it is up to
    half of the time. Where several threads plan, the first one to put it off takes it up again.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
