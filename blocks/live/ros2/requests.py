"""What comes in by another thread and has to be done by the one that runs the simulation, between two turns."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as Late
from typing import Any, TypeVar

from blocks.live.ros2.available import Ros2Error

T = TypeVar("T")

PATIENCE = 10.0
"""How long one waits for the end of a turn, s."""


class Requests:
    """A queue of functions, each of which is called once, by the thread that made the queue, and answers who asked."""

    def __init__(self, called: Callable[[], None] = lambda: None, patience: float = PATIENCE) -> None:
        """`called` is called when something comes in."""
        self.patience = patience
        self._called = called
        self._waiting: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        self._served_by = threading.get_ident()
        self._closed = False

    def ask(self, function: Callable[[], T]) -> T:
        """Have a function called between two turns, and give what it returns; what it raises is raised here.

        Raises Ros2Error if no turn ends in time, or the run has ended; the function is then not called any more.
        """
        if threading.get_ident() == self._served_by:
            return function()
        answer: Future[T] = Future()
        self._waiting.put((function, answer))
        self._called()
        if self._closed:
            self.close()
        try:
            return answer.result(self.patience)
        except Late:
            if answer.cancel():
                raise Ros2Error(f"the run has not come to the end of a turn for {self.patience:g} s") from None
            return answer.result()
        except CancelledError:
            raise Ros2Error("the run has ended") from None

    def serve(self) -> None:
        """Do what is wanted."""
        while not self._waiting.empty():
            function, answer = self._waiting.get()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(function())
            except Exception as problem:
                answer.set_exception(problem)

    def close(self) -> None:
        """Refuse what is waiting, and what comes from now on."""
        self._closed = True
        while True:
            try:
                self._waiting.get_nowait()[1].cancel()
            except queue.Empty:
                return
