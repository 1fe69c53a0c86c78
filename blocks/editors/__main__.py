"""Write stubs below a folder: of the library, in the build, where nothing is compiled yet; or of modules by name."""

import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(folder: str, modules: list[str]) -> None:
    """Declarations need numpy and nothing else. Packages that need more, for what they export, are empty meanwhile."""
    if not modules:
        sys.path[0] = str(ROOT)
        for package in ("blocks", *(f"blocks.{path.parent.name}" for path in ROOT.glob("blocks/*/__init__.py"))):
            sys.modules[package] = types.ModuleType(package)
            sys.modules[package].__path__ = [str(ROOT.joinpath(*package.split(".")))]
    from blocks.editors.stubs import write_stubs

    write_stubs(Path(folder), modules)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
