"""An FMU in a process of its own: its crash, hang or leak is an error of its block, and the run survives."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import FmuError
from fmu.foreign.channel import BROKEN, FAILED, Closed, receive_reply, send_request
from fmu.foreign.spec import Spec

Floats = NDArray[np.float64]
Reply = tuple[int, str, bytes]

START_SECONDS = 60.0
"""For the process to come up, besides what the FMU may take."""
_LAST_WORDS = 500


class IsolatedInstance:
    """The same as `Instance`, with the FMU in another process.

    timeout: how long a call may take, s. memory_limit: how much memory the FMU may take, MB; 0: as much as there is.
    Every method raises FmuError if the process ends, does not answer in time, or takes too much.
    """

    def __init__(self, spec: Spec, name: str, timeout: float, memory_limit: float) -> None:
        self.spec, self.timeout, self.memory_limit = spec, timeout, memory_limit
        self.t0, self.k = math.nan, 0
        self.gone = ""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  (lasts as long as the process)
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from fmu.foreign.worker import main; main()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path)},
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._pipe = self._process.stdin
        self._replies: queue.SimpleQueue[Reply | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._replies), daemon=True).start()
        weakref.finalize(self, self._said.close)
        self._end = weakref.finalize(self, _end, self._process)
        self._ask("make", spec, name, memory_limit, doing="loading its binary", seconds=START_SECONDS + timeout)

    @property
    def t(self) -> float:
        """The present communication point, s."""
        return self.t0 + self.k * self.spec.step

    def begin(self, t: float) -> None:
        """A new run begins at t."""
        self._ask("begin", t, doing="beginning a run")
        self.t0, self.k = t, 0

    def read(self, inputs: Floats) -> Floats:
        """The outputs at the present communication point."""
        doing = "its initialization" if self.k == 0 else f"reading its outputs at t = {self.t:g} s"
        return np.frombuffer(self._ask("read", inputs, doing=doing))

    def step(self, inputs: Floats) -> None:
        """Go on by one communication step."""
        self._ask("step", inputs, doing=f"its step from t = {self.t:g} s to {self.t + self.spec.step:g} s")
        self.k += 1

    def save(self) -> bytes:
        """The whole state of the FMU, and where it stands."""
        return self._ask("save", doing="saving its state")

    def restore(self, saved: bytes) -> None:
        """Take up what `save` gave."""
        self._ask("restore", saved, doing="restoring its state")
        t0, k = np.frombuffer(self._ask("position", doing="restoring its state"))
        self.t0, self.k = float(t0), int(k)

    def close(self) -> None:
        """Free the instance and end the process."""
        if not self.gone:
            with contextlib.suppress(FmuError):
                self._ask("close", doing="freeing it")
        self._end()
        self._said.close()
        self.gone = self.gone or f"{self.spec.file} was closed"

    def _ask(self, method: str, *arguments: Any, doing: str, seconds: float = 0.0) -> bytes:
        if self.gone:
            raise FmuError(self.gone)
        try:
            send_request(self._pipe, method, *arguments)
            reply = self._replies.get(timeout=seconds or self.timeout)
        except OSError:
            reply = None
        except queue.Empty:
            self._end()
            self.gone = (
                f"{self.spec.file} does not answer: {doing} took more than {seconds or self.timeout:g} s (timeout), "
                f"and its process was ended{self._last_words()}"
            )
            raise FmuError(self.gone) from None
        if reply is None:
            self.gone = f"{self.spec.file} {self._cause_of_death()} during {doing}{self._last_words()}"
            raise FmuError(self.gone)
        code, text, content = reply
        if code == FAILED:
            raise FmuError(text)
        if code == BROKEN:
            raise FmuError(f"{self.spec.file}: {doing} failed in its process: {text}")
        return content

    def _cause_of_death(self) -> str:
        try:
            status = self._process.wait(timeout=10.0)
        except subprocess.TimeoutExpired:  # it has closed its side of the pipe, and lives on
            self._end()
            return "wrote into the pipe of its process and had to be ended"
        limit = f" (memory_limit is {self.memory_limit:g} MB)" if self.memory_limit else ""
        if status < 0:
            return f"crashed: its process was ended by {signal.Signals(-status).name}{limit}"
        return f"ended its process, with exit code {status}{limit}"

    def _last_words(self) -> str:
        """The end of what the process printed."""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - _LAST_WORDS))
        text = " | ".join(self._said.read().decode("utf-8", "replace").split("\n")).strip(" |")
        return f"; it printed: {text}" if text else ""


def _listen(pipe: IO[bytes], replies: queue.SimpleQueue[Reply | None]) -> None:
    """Hand on replies until there are no more."""
    with pipe:
        try:
            while True:
                replies.put(receive_reply(pipe))
        except (Closed, OSError, ValueError):
            replies.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, whatever it is doing."""
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
