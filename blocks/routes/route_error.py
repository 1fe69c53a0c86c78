"""What is said where there is no way."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class RouteError(KeelblocksError):
    """There is no way from start to goal, or none that the craft can go; the message says where and why."""

    code = "no-route"
