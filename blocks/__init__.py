"""Keelblocks: a block library for marine craft. Compose blocks, run them at C speed, take them away as FMUs.

from blocks import Diagram, simulate
from blocks.dynamics import Vessel6DOF
"""

import sys

from blocks.moved import OldNames

sys.meta_path.append(OldNames())


def __getattr__(name: str) -> object:
    """What `__init__.pyi` offers, and the modules of the package, imported when they are asked for.

    So commands hear Ctrl-C before anything is loaded.
    """
    import importlib.util

    import lazy_loader

    load, _, offered = lazy_loader.attach_stub(__name__, __file__)
    if name == "__all__":
        return offered
    if name in offered:
        value = load(name)
    elif not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}"):
        value = importlib.import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=sys.modules[__name__])
    globals()[name] = value
    return value


def __dir__() -> object:
    return __getattr__("__all__")
