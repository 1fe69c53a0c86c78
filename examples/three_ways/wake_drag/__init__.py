"""A library of one block: the drag in a wake, compiled."""

from wake_drag.drag import WakeDrag

__all__ = ["WakeDrag"]
