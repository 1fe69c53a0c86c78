"""Services of the node, by which others reset, pause, step and save a run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rcl_interfaces.msg import IntegerRange, ParameterDescriptor
from std_srvs.srv import SetBool, Trigger

from blocks.errors import KeelblocksError
from blocks.live.ros2.available import Ros2Error
from blocks.live.ros2.parameter_node import ParameterNode
from blocks.live.ros2.requests import Requests

if TYPE_CHECKING:
    from blocks.realtime.loop import RealTime
    from blocks.simulator import Simulator

STEP_TURNS = "step_turns"
"""The parameter that says how many turns a step is: no standard service of such a kind takes a number."""


class Services:
    """`~/reset`, `~/step` and `~/save` (std_srvs/Trigger) and `~/pause` (std_srvs/SetBool) of a run.

    Each is done between two turns and answers when it is done; one that is refused answers with the reason.
    """

    def __init__(
        self, node: ParameterNode, simulator: Simulator, realtime: RealTime | None, requests: Requests, file: Path
    ) -> None:
        self.node, self.simulator, self.realtime, self.requests, self.file = node, simulator, realtime, requests, file
        self._steps: list[tuple[int, threading.Event]] = []
        node.create_service(Trigger, "~/reset", self._answers(self._reset))
        node.create_service(Trigger, "~/save", self._answers(self._save))
        if realtime is not None:
            node.create_service(SetBool, "~/pause", self._answers(self._pause))
            node.create_service(Trigger, "~/step", self._answers(self._step))
            turns = ParameterDescriptor(description="how many turns ~/step makes")
            turns.integer_range = [IntegerRange(from_value=1, to_value=1_000_000, step=1)]
            node.declare_parameter(STEP_TURNS, 1, turns)

    def _answers(self, work: Callable[[Any], str]) -> Callable[[Any, Any], Any]:
        def serve(request: Any, response: Any) -> Any:
            try:
                response.message, response.success = work(request), True
            except (KeelblocksError, OSError) as problem:
                response.message, response.success = str(problem), False
            except Exception as problem:  # nobody who asks may end the thread that answers
                response.message, response.success = f"{type(problem).__name__}: {problem}", False
            return response

        return serve

    def _reset(self, request: Any) -> str:
        return self.requests.ask(self._reset_now)

    def _reset_now(self) -> str:
        parameters = self.node.block_parameters
        pending = dict(parameters.pending) if parameters is not None else {}
        self.simulator.reset(parameters=pending)
        if parameters is not None:
            parameters.pending.clear()
        return f"at t = {self.simulator.time:g} s again" + (f", with {', '.join(pending)} anew" if pending else "")

    def _pause(self, request: Any) -> str:
        return self.requests.ask(self._pause_now if request.data else self._resume_now)

    def _pause_now(self) -> str:
        assert self.realtime is not None
        self.realtime.pause()
        return f"paused at t = {self.simulator.time:g} s"

    def _resume_now(self) -> str:
        assert self.realtime is not None
        self.realtime.resume()
        return f"goes on from t = {self.simulator.time:g} s"

    def _step(self, request: Any) -> str:
        turns = int(self.node.get_parameter(STEP_TURNS).value)
        ended = self.requests.ask(lambda: self._step_now(turns))
        assert self.realtime is not None
        expected = turns * self.realtime.turn / (self.realtime.factor or 1.0)
        if not ended.wait(expected + self.requests.patience):
            raise Ros2Error(f"{turns} turns are not done yet, at t = {self.simulator.time:g} s")
        return f"paused at t = {self.simulator.time:g} s"

    def _step_now(self, turns: int) -> threading.Event:
        assert self.realtime is not None
        ended = threading.Event()
        self._steps.append((self.realtime.turns + turns, ended))
        self.realtime.step(turns)
        return ended

    def turn_ended(self) -> None:
        """Answer steps that are done."""
        while self._steps and self.realtime is not None and self.realtime.turns >= self._steps[0][0]:
            self._steps.pop(0)[1].set()

    def _save(self, request: Any) -> str:
        return self.requests.ask(self._save_now)

    def _save_now(self) -> str:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        return str(self.simulator.result().save(self.file))
