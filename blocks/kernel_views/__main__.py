"""Write views, entries and registry of the source folder that this file is in."""

import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Declarations need numpy and nothing else. Packages that need more, for what they export, are empty meanwhile."""
    sys.path[0] = str(ROOT)
    _empty("blocks")
    from blocks.model.block import FAMILIES

    for family in FAMILIES:
        _empty(f"blocks.{family}")
    from blocks.kernel_views.declarations import ViewError
    from blocks.kernel_views.write import write_all

    try:
        write_all(ROOT)
    except ViewError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


def _empty(name: str) -> None:
    package = types.ModuleType(name)
    package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
    sys.modules[name] = package


if __name__ == "__main__":
    sys.exit(main())
