"""The same, from the library beside this file: `keelblocks build examples/three_ways/wake_drag`."""

from wake_drag import WakeDrag

drag = WakeDrag()
