"""The sizes of the drawing, in pixels, in one place.

Everything vertical that wires touch lies on a grid of `GRID`: two wires are then either on the same line, which the
layout excludes, or at least one grid step apart.
"""

from __future__ import annotations

GRID = 12  # distance of neighbouring wires

PLACE = 16  # unit of the places that people choose

# In grid steps, because placement solves for whole steps:
PORT_PITCH = 2  # between ports of one box
HEADER = 4  # from the top of a box to its first port; name and type stand there
FOOTER = 1  # from the last port to the bottom of the box
PORTLESS = 3  # height of a box without any port
FRAME_HEADER = 4  # from the top of a frame to the first box or wire in it
FRAME_FOOTER = 2  # from the last box or wire to the bottom of the frame
BOX_GAP = 2  # between two boxes
WIRE_GAP = 1  # between two wires
BOX_WIRE_GAP = 2  # between a box and a wire that passes it

# Horizontally:
LANE = 12  # distance of neighbouring vertical wires in a channel
CHANNEL_MARGIN = 16  # from a box to the first and from the last vertical wire of a channel
LABEL_MARGIN = 5  # between the label of a wire and the box where it starts, or its arrow head where it arrives
ARROW_MARGIN = 22  # the same where an arrow head needs room
EMPTY_CHANNEL = 36  # width of a channel between boxes when no wire turns in it
FRAME_PADDING = 16  # between a frame's side and what stands in it when there are no boundary ports on that side
MIN_BOX_WIDTH = 76
BOX_PADDING = 12  # between the side of a box and its name
LABEL_PADDING = 10  # between the side of a box and the label of a port
LABEL_GAP = 18  # between the labels of inputs and outputs

PORT_HEIGHT = 18  # of a boundary port, which is drawn as a small box of its own

MARGIN = 20  # around the whole drawing
ARROW = 7  # length of an arrow head
CORNER = 5  # radius where a wire turns
DOT = 3.2  # radius of a junction

NAME_SIZE = 13.0
TYPE_SIZE = 10.5
PORT_SIZE = 10.5
WIRE_LABEL_SIZE = 9.5
TITLE_SIZE = 15.0
