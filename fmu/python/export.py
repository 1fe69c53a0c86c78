"""The files of an FMU with blocks written in Python."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from blocks.plan import Plan
from fmu.description.documentation import index_html
from fmu.description.model import Model
from fmu.notices import warn
from fmu.python.description import described, references, served
from fmu.python.imports import moved_imports
from fmu.python.modules import Carried, carry
from fmu.python.requirements import PythonNeeded, Requirements, python_blocks, requirements_of
from fmu.python.script import slave_script
from fmu.python.table import model_table
from fmu.python.wrappers import binaries, licence


@dataclass(frozen=True)
class PythonExport:
    """An export of a component with blocks written in Python: what travels with it and what it needs."""

    carried: Carried
    needed: Requirements

    def interfaces(
        self, wanted: tuple[str, ...], sources: bool = False, capacities: Mapping[str, int] | None = None
    ) -> tuple[str, ...]:
        """Those that are written of the wanted ones: co-simulation.

        Raises ExportError if that is not among them, or for C sources or capacities, which such FMUs do not have.
        """
        if "cs" not in wanted:
            raise ExportError(
                "blocks written in Python leave for co-simulation only, not for model exchange: interfaces=('cs',)"
            )
        if sources:
            raise ExportError("sources: blocks written in Python have no C sources; export the other parts with them")
        if capacities:
            raise ExportError(
                f"capacities ({', '.join(capacities)}): with blocks written in Python arrays keep the size they have"
            )
        return ("cs",)

    def refuse_libraries(self, libraries: Iterable[str]) -> None:
        """Raise ExportError if there are kernels of compiled libraries beside the blocks written in Python."""
        for library in libraries:
            raise ExportError(
                f"blocks written in Python and those of the compiled library {library} cannot be in one FMU: export "
                f"a system of several: fmu.export_ssp or fmu.export_osp, keelblocks export --format ssp or osp"
            )

    def warn_of_needs(self) -> None:
        """Warn that the FMU needs Python: once it is sure that there will be one."""
        warn(f"the FMU {self.needed}: {self.needed.command}", PythonNeeded)

    def files(self, model: Model, fmi: str, platforms: Iterable[str] | None) -> dict[str, bytes]:
        """All files of the FMU. Equal models have equal ones."""
        model, plan = served(model), model.plan
        libraries = binaries(fmi, model.identifier, platforms)
        token, home, table = self._table(model, plan, fmi)
        resources: dict[str, bytes] = {
            "plan.bin": plan.stored,
            "model.json": json.dumps(table, indent=1, ensure_ascii=False).encode(),
            "requirements.txt": "".join(f"{pin}\n" for pin in self.needed.pins()).encode(),
            "slavemodule.txt": home.encode(),
            f"{home}.py": slave_script(fmi, self.needed).encode(),
            **self._modules(package(home)),
        }
        return {
            "modelDescription.xml": described(model, fmi, token),
            "documentation/index.html": _with_needs(index_html(model, fmi), self.needed),
            "documentation/licenses/PythonFMU.txt": licence(fmi),
            **{f"resources/{name}": content for name, content in resources.items()},
            **libraries,
        }

    def _table(self, model: Model, plan: Plan, fmi: str) -> tuple[str, str, dict[str, Any]]:
        """(GUID, name of the slave's module, model.json). Both names are made from a hash of all that is the model."""
        listed = model.listed if fmi == "3.0" else model.variables
        blank = model_table(plan, listed, references(model, fmi), self.carried, "")
        digest = hashlib.sha256(json.dumps(blank).encode() + plan.stored + described(model, fmi, ""))
        digest.update(slave_script(fmi, self.needed).encode())
        for name, module in sorted(self.carried.modules.items()):
            digest.update(f"\0{name}\0{module.source}".encode())
        text = digest.hexdigest()
        token = "{" + "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32])) + "}"
        home = f"keelblocks_{text[:16]}"
        table = model_table(plan, listed, references(model, fmi), self.carried, package(home)) | {
            "token": token,
            "keelblocks": dict(self.needed.packages)["keelblocks"],
            "requires": {
                "text": str(self.needed),
                "pins": self.needed.pins()[1:],
                "imports": [self.carried.imports[name] for name, _ in self.needed.packages[1:]],
            },
        }
        return token, home, table

    def _modules(self, home: str) -> dict[str, bytes]:
        """The files of the carried modules, in a package of their own."""
        files = {f"{home}/__init__.py": b""} if self.carried.modules else {}
        for name, module in sorted(self.carried.modules.items()):
            path = name.replace(".", "/") + ("/__init__.py" if module.is_package else ".py")
            files[f"{home}/{path}"] = moved_imports(module.source, home, self.carried.tops).encode()
        return files


def package(home: str) -> str:
    """The package of the carried modules, by the name of the slave's module."""
    return f"{home}_blocks"


def python_export(component: Diagram | Block) -> PythonExport | None:
    """What an export of this component takes because of its blocks written in Python; None if it has no such blocks.

    Raises ExportError if a block cannot be in an FMU.
    """
    blocks = python_blocks(component)
    if not blocks:
        return None
    carried = carry(blocks)
    needed = requirements_of(blocks, carried)
    return PythonExport(carried, needed)


def _with_needs(page: bytes, needed: Requirements) -> bytes:
    """The documentation with a section on what has to be installed."""
    packages = "".join(f"<li>{escape(pin)}</li>" for pin in needed.pins())
    section = (
        f"<h2>What it needs</h2><p>This FMU {escape(str(needed))}.</p>"
        f"<ul><li>Python ≥ {escape(needed.python)}</li>{packages}</ul>"
        f"<pre>{escape(needed.command)}</pre>"
        f"<p>On Linux the environment variable KEELBLOCKS_PYTHON names the Python to take, such as "
        f"/opt/env/bin/python; else it is the python3 of the PATH.</p>"
    )
    text = page.decode()
    place = text.find("<h2>")
    return (text[:place] + section + text[place:]).encode() if place >= 0 else page
