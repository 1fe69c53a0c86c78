"""A node of rclpy whose parameters are those of blocks."""

from __future__ import annotations

from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter as RosParameter

from blocks.errors import KeelblocksError, did_you_mean
from blocks.live.ros2.parameters import BlockParameters
from blocks.live.ros2.requests import Requests


class ParameterNode(Node):  # type: ignore[misc]  # rclpy has no types everywhere
    """A node that shows the parameters of blocks as they are now, and sets them between two turns.

    What ROS refuses by a descriptor is looked at by the block first, whose message says what is wrong.
    """

    block_parameters: BlockParameters | None = None
    requests: Requests

    def show(self, parameters: BlockParameters, requests: Requests) -> None:
        """Declare the parameters of blocks; values that were given with the node (`--ros-args -p`) are set.

        Raises ParameterError or SimulationError for those that cannot be.
        """
        for name in parameters.declared:
            present = parameters.ros(name)
            given = self._parameter_overrides.get(name)  # private; what is public checks it first, with other words
            if given is not None and given.value is not None:
                parameters.set({name: parameters.wanted(given)})
                self._parameter_overrides[name] = present = parameters.ros(name)
            self.declare_parameter(name, present.value, parameters.descriptor(name))
        self.block_parameters, self.requests = parameters, requests

    def get_parameter(self, name: str) -> RosParameter[Any]:
        """A parameter; that of a block as it is now, whoever changed it."""
        if self.block_parameters is not None and name in self.block_parameters.declared:
            return self.block_parameters.ros(name)
        return super().get_parameter(name)

    def set_parameters_atomically(self, parameter_list: list[RosParameter[Any]]) -> SetParametersResult:
        """Set parameters, all of them or none; the reason is that of the block that refuses."""
        blocks = self.block_parameters
        if blocks is None:
            return super().set_parameters_atomically(parameter_list)
        wanted: dict[str, Any] = {}
        try:
            for parameter in parameter_list:
                if parameter.name in blocks.declared:
                    wanted[parameter.name] = blocks.wanted(parameter)
                elif not self.has_parameter(parameter.name):
                    near = did_you_mean(parameter.name, blocks.declared)
                    return SetParametersResult(successful=False, reason=f"no parameter '{parameter.name}'{near}")
            note = self.requests.ask(lambda: blocks.set(wanted)) if wanted else ""
        except KeelblocksError as problem:
            return SetParametersResult(successful=False, reason=str(problem))
        result = super().set_parameters_atomically(
            [blocks.ros(p.name) if p.name in wanted else p for p in parameter_list]
        )
        if result.successful:
            result.reason = note
        return result
