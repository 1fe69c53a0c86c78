"""The process in which an isolated FMU runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from blocks.child.serving import Answer, bound_memory, serve
from blocks.errors import FmuError

MEGABYTE = 1_000_000


def main() -> None:
    """Serve one instance until the pipe closes."""
    serve(_Worker().call, FmuError)


class _Worker:
    """The instance, and how much memory it may take."""

    def __init__(self) -> None:
        self.instance: Any = None
        self.limit = 0.0
        self.before = 0.0
        self.file = ""

    def call(self, method: str, *arguments: Any) -> Answer:
        """Do what is asked, with bytes as the answer."""
        if method == "make":
            self.make(*arguments)
            return "", ()
        result = getattr(self.instance, method)(*arguments)
        if method == "close":
            return "", ()
        used = (resident_bytes() - self.before) / MEGABYTE
        if self.limit and used > self.limit:
            raise FmuError(
                f"{self.file} takes {used:,.0f} MB of memory at t = {self.instance.t:g} s; memory_limit is "
                f"{self.limit:g} MB"
            )
        return "", () if result is None else (result if isinstance(result, bytes) else result.tobytes(),)

    def make(self, spec: Any, name: str, limit: float) -> None:
        """Load the FMU."""
        from fmpy import fmi2, fmi3  # noqa: F401  (so that their memory is not taken for the FMU's)

        from fmu.foreign.model_exchange import make_instance

        self.limit, self.file, self.before = limit, spec.file, resident_bytes()
        if limit:  # a little above what is looked at after each call, for what happens within one
            bound_memory((1.5 * limit + 64) * MEGABYTE)
        self.instance = make_instance(spec, name)


def resident_bytes() -> float:
    """How much memory this process holds; 0 where that is not known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


if __name__ == "__main__":
    main()
