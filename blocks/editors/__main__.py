"""Write stubs below a folder: of the library, in the build, where nothing is compiled yet; or of modules by name."""

import importlib
import sys
from pathlib import Path


def main(folder: str, modules: list[str]) -> None:
    """Of these modules, or of those of the source folder that this file is in."""
    if not modules:
        sys.path[0] = str(Path(__file__).resolve().parents[2])
        importlib.import_module("build_backend").only_declarations()
    from blocks.editors.stubs import write_stubs

    write_stubs(Path(folder), modules)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
