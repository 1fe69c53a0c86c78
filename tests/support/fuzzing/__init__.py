"""Damaged files through every reader: whatever is in a file, it is read or refused with a message of ours.

`make fuzz` runs it; `python -m fuzzing --help` says more. A reader is one entry of `readers`, a kind of damage one
module of `mutate`. Cases are numbered: the same reader, seed and number give the same file.
"""

import os

# A pool that reserves memory ahead takes the limits of children for a lack of it.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
