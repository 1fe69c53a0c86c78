"""Keelblocks: a block library for marine craft. Compose blocks, run them at C speed, take them away as FMUs.

from blocks import Diagram, simulate
from blocks.dynamics import Vessel6DOF
"""

import lazy_loader

# What stands in __init__.pyi is imported when it is asked for, so that commands hear Ctrl-C before anything is loaded.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
