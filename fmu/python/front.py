"""What the slaves for FMI 2 and FMI 3 share: an instance, its messages, and how its failures reach the importing tool.

PythonFMU's wrapper knows two outcomes of a call: it returned, or it raised, which the wrapper takes for fatal, and
after which it releases the slave once too often. On Linux our own stub stands before the wrapper
(`runtime/c/python_stub.c`): it shares some memory with the slave, in which the slave leaves the status that the call is
to return. Without the stub a failure is raised, with references added that the wrapper will release.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import sys
from typing import Any, NoReturn

from fmu.python.instance import DISCARD, FAILED, OK, WARNING, Instance, Refused
from fmu.python.model import Model, ModelError

HANDSHAKE = -1
"""The value reference by which the stub, and it alone, hands over the GUID and the address of what is shared."""
CHECK = -1
"""In the count of what is shared: a state that is given is to be checked only."""
_CATEGORIES = {OK: "logEvents", WARNING: "logStatusWarning", DISCARD: "logStatusDiscard", FAILED: "logStatusError"}


class Shared(ctypes.Structure):
    """What stub and slave share, as `runtime/c/python_stub.c` declares it."""

    _fields_ = (
        ("status", ctypes.c_int),  # of the call in progress: written by the slave, reset by the stub
        ("state", ctypes.c_int),
        ("stopped", ctypes.c_int),
        ("stop_defined", ctypes.c_int),
        ("tolerance_defined", ctypes.c_int),
        ("count", ctypes.c_int),  # FMI 3: how many values a call gets or sets; or CHECK
        ("time", ctypes.c_double),
        ("start", ctypes.c_double),  # the experiment, written by the stub (FMI 3: the wrapper does not pass it on)
        ("stop", ctypes.c_double),
        ("tolerance", ctypes.c_double),
    )


class Message:
    """A message in the queue that the wrapper empties after each call."""

    def __init__(self, status: int, category: str, msg: str) -> None:
        self.status, self.category, self.msg, self.debug = status, category, msg, False


class Front:
    """An instance behind a slave. `is_format` says that messages are formats, as they are in FMI 2."""

    def __init__(self, resources: str, queue: list[Any], *, is_format: bool) -> None:
        importlib.invalidate_caches()  # another FMU may have been unpacked at this place before
        self.queue = queue
        self.is_format = is_format
        self.shared: Any = None
        self.model = Model.load(resources)
        check_packages(self.model.table["requires"])
        try:
            self.instance = Instance(self.model, self.say)
        except ModelError as problem:
            raise ModelError(f"{problem}. This FMU {self.model.table['requires']['text']}") from None

    def say(self, status: int, text: str) -> None:
        """Send a message. In FMI 2 it goes through printf in the tool, and #…# has a meaning: both are escaped."""
        if self.is_format:
            text = text.replace("%", "%%").replace("#", "##")
        self.queue.append(Message(status, _CATEGORIES[status], text))

    def shake_hands(self, token: str, address: str) -> None:
        """The stub's first call: does the FMU fit its description, and where is what they share."""
        self.shared = Shared.from_address(int(address, 16))
        own, kind = self.model.table["token"], "GUID" if self.is_format else "instantiation token"
        if token != own:
            self.failed(
                Refused(
                    FAILED,
                    f"the {kind} {token[:100]} is not that of this FMU's resources, which is {own}: "
                    f"modelDescription.xml and resources are not of the same FMU",
                )
            )
        self.publish()

    def publish(self) -> None:
        """Let the stub know where the instance stands."""
        if self.shared is not None:
            instance = self.instance
            self.shared.state, self.shared.stopped, self.shared.time = instance.state, instance.stopped, instance.time

    def failed(self, problem: Exception, slave: object = None) -> None:
        """Make a call return the status of a failure. Raises RuntimeError without the stub."""
        status = problem.status if isinstance(problem, Refused) else FAILED
        text = str(problem) if isinstance(problem, Refused) else f"{type(problem).__name__}: {problem}"
        self.say(status, text)
        self.publish()
        if self.shared is not None:
            self.shared.status = status
        else:
            for released in (slave, type(slave), self.queue):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(released))
            raise RuntimeError(text)


def check_packages(requires: dict[str, Any]) -> None:
    """Raise ModelError, saying what to install, if packages are missing that the blocks import."""
    missing = [pin for pin, module in zip(requires["pins"], requires["imports"], strict=True) if not _is_there(module)]
    if missing:
        raise ModelError(
            f"the Python of this process ({python_here()}) lacks {', '.join(missing)}: "
            f"pip install {' '.join(missing)}. This FMU {requires['text']}"
        )


def _is_there(module: str) -> bool:
    try:
        return module in sys.modules or importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def python_here() -> str:
    """Which Python this is: "3.11 at /usr"."""
    return f"{sys.version_info.major}.{sys.version_info.minor} at {sys.prefix}"


def refuse_strings(function: str, references: list[int]) -> NoReturn:
    """There are no string variables."""
    raise Refused(FAILED, f"{function}: there is no String variable with value reference {references[0] % 2**32}")
