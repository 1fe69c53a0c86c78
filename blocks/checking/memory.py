"""How much memory this machine has to give."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")


def available_memory() -> int | None:
    """Bytes that programs can have without swapping; where the system does not say, all there are, or None."""
    with contextlib.suppress(OSError, ValueError):
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None
