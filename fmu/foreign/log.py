"""What an FMU logs: kept for the messages of errors.

FMPy formats messages of FMI 1 and 2 in C and hands them to one function for the whole process, so that function has to
find out whose they are: by the environment pointer that every FMU of FMI 2 gives back, or by the instance of FMI 1.
"""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Callable
from ctypes import byref
from typing import Any

_STATUS = ("ok", "warning", "discard", "error", "fatal", "pending")
_SHOWN = 5
_KEPT = 200

_numbers = itertools.count(1)
_logs: weakref.WeakValueDictionary[int, Log] = weakref.WeakValueDictionary()


class Log:
    """The messages of one instance since it was last cleared."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        self.messages: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        _logs[self.number] = self

    def clear(self) -> None:
        """Clear it, before a new error message."""
        self.messages.clear()
        _last[:] = [weakref.ref(self)]

    def add(self, status: int, category: bytes | None, message: bytes | None) -> None:
        """Keep a message."""
        text = " ".join((message or b"").decode("utf-8", "replace").split())
        label = _STATUS[status] if 0 <= status < len(_STATUS) else (category or b"").decode("utf-8", "replace")
        if text:
            self.messages.append((status, f"{label}: {text}"))

    def words(self) -> str:
        """The last messages as the end of a sentence, warnings and errors if there are any; "" if there are none."""
        troubles = [text for status, text in self.messages if status]
        shown = list(dict.fromkeys(troubles or [text for _, text in self.messages]))[-_SHOWN:]
        return "; it says: " + " | ".join(shown) if shown else ""

    def fmi1_callbacks(self) -> Any:
        """The callback structure for FMI 1; to be kept as long as the instance. Steps are not finished meanwhile."""
        from fmpy import calloc, free, logging
        from fmpy.fmi1 import (
            fmi1CallbackAllocateMemoryTYPE,
            fmi1CallbackFreeMemoryTYPE,
            fmi1CallbackFunctions,
        )

        callbacks = fmi1CallbackFunctions()
        callbacks.logger = _logger()
        callbacks.allocateMemory = fmi1CallbackAllocateMemoryTYPE(calloc)
        callbacks.freeMemory = fmi1CallbackFreeMemoryTYPE(free)
        logging.addLoggerProxy(byref(callbacks))
        return callbacks

    def belongs_to(self, instance: int) -> None:
        """What this instance of FMI 1 logs is kept here; until then, it is known by who speaks last."""
        _logs[instance] = self

    def fmi2_callbacks(self) -> Any:
        """The callback structure for fmi2Instantiate; to be kept as long as the instance."""
        from fmpy import calloc, free, logging
        from fmpy.fmi2 import (
            fmi2CallbackAllocateMemoryTYPE,
            fmi2CallbackFreeMemoryTYPE,
            fmi2CallbackFunctions,
        )

        callbacks = fmi2CallbackFunctions()
        callbacks.logger = _logger()
        callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(calloc)
        callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(free)
        callbacks.componentEnvironment = self.number
        logging.addLoggerProxy(byref(callbacks))
        return callbacks

    def fmi3_function(self) -> Callable[[Any, int, bytes, bytes], None]:
        """The log function for fmi3Instantiate…."""
        return lambda environment, status, category, message: self.add(status, category, message)


_kept: list[Any] = []
_last: list[weakref.ref[Log]] = []
"""The log that is in use, for FMUs that do not give their environment back."""


def _logger() -> Any:
    """The one C function for all instances of FMI 1 and 2, which lasts as long as the process."""
    from fmpy.fmi2 import fmi2CallbackLoggerTYPE

    if not _kept:

        def hear(environment: int | None, name: bytes, status: int, category: bytes, message: bytes) -> None:
            log = _logs.get(environment or 0) or (_last[0]() if _last else None)
            if log is not None:
                log.add(status, category, message)

        _kept.append(fmi2CallbackLoggerTYPE(hear))
    return _kept[0]
