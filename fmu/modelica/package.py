"""The files of a package: a folder with a file of each class and the C beside them, or all in one file."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from fmu.description.icon import icon as bitmap
from fmu.modelica.c_side import c_text
from fmu.modelica.fmu_side import COMMON, c_around
from fmu.modelica.functions import declared, functions_of, type_name
from fmu.modelica.graphics import INTERFACES
from fmu.modelica.literals import comment, string
from fmu.modelica.model import model_text
from fmu.modelica.subject import Subject

MARK = "Written by Keelblocks"
"""What is in each file of a package, by which it is known as such."""
_HEAD = "// {mark} {version}.\nwithin {within};\n"
_INFO = (
    "<html><p>{about}</p><p>Written by Keelblocks {version}. Connectors are vectors of numbers in SI units; models "
    "call C that stands in <code>Resources/Include</code>, as external objects.</p></html>"
)


@dataclass(frozen=True)
class Package:
    """A package. name: in Modelica; about: of it, in words; subjects: its models; within: those of sub-packages."""

    name: str
    about: str
    subjects: Sequence[Subject]
    families: Mapping[str, Sequence[Subject]]
    version: str

    @property
    def everything(self) -> list[Subject]:
        """All models, those of sub-packages too."""
        return [*self.subjects, *(subject for those in self.families.values() for subject in those)]


def in_a_folder(package: Package) -> dict[str, bytes]:
    """The files of the package by their paths within its folder."""
    name, version = package.name, package.version
    head = _HEAD.format(mark=MARK, version=version, within=name)
    files: dict[str, str] = {}
    binary: dict[str, bytes] = {}
    includes: dict[str, str] = {}
    for subject in package.everything:
        include = (
            f' annotation(Include="#include \\"{subject.c}.h\\"", '
            f'IncludeDirectory="modelica://{name}/Resources/Include")'
        )
        functions = functions_of(subject)
        includes[subject.name] = declared(subject, functions, include)
        if subject.files:
            code = c_around(subject, functions, subject.files, name, version)
            files["Resources/Include/keelblocks_fmu.h"] = COMMON.read_text(encoding="utf-8")
            binary |= {f"Resources/FMUs/{subject.name}/{file}": content for file, content in subject.files.items()}
        else:
            code = c_text(subject, functions, name, version)
        files[f"Resources/Include/{subject.c}.h"] = code
        files[f"Resources/Images/{subject.name}.svg"] = bitmap(subject.model.drawing).svg.decode()
    for subject in package.subjects:
        files[f"{subject.name}.mo"] = head + _model(package, subject)
    for family, those in package.families.items():
        files[f"{family}/package.mo"] = f'{head}package {family} "Blocks"\nend {family};\n'
        files[f"{family}/package.order"] = "".join(f"{subject.name}\n" for subject in those)
        inside = _HEAD.format(mark=MARK, version=version, within=f"{name}.{family}")
        for subject in those:
            files[f"{family}/{subject.name}.mo"] = inside + _model(package, subject)
    own = {"Interfaces": INTERFACES, "Types": _types(package), "Internal": _internal(includes)}
    files |= {f"{part}.mo": head + text for part, text in own.items() if text}
    order = [*(s.name for s in package.subjects), *package.families, *(part for part, text in own.items() if text)]
    files["package.order"] = "".join(f"{part}\n" for part in order)
    top = _HEAD.format(mark=MARK, version=version, within="")
    files["package.mo"] = f"{top}package {name}{comment(package.about)}\n{_annotation(package)}end {name};\n"
    return {path: text.encode() for path, text in files.items()} | binary


def in_one_file(package: Package) -> str:
    """The package as one file, with the C in it."""
    includes = {}
    for subject in package.everything:
        functions = functions_of(subject)
        code = c_text(subject, functions, package.name, package.version)
        includes[subject.name] = declared(subject, functions, f" annotation(Include={string(code)})", each=False)
    parts = [_model(package, subject, picture=False) for subject in package.subjects]
    for family, those in package.families.items():
        inside = "\n".join(_indented(_model(package, subject, picture=False)) for subject in those)
        parts.append(f'package {family} "Blocks"\n{inside}end {family};\n')
    parts += [text for text in (INTERFACES, _types(package), _internal(includes)) if text]
    top = _HEAD.format(mark=MARK, version=package.version, within="")
    body = "\n".join(_indented(part) for part in parts)
    return f"{top}package {package.name}{comment(package.about)}\n{body}{_annotation(package)}end {package.name};\n"


def _model(package: Package, subject: Subject, *, picture: bool = True) -> str:
    return model_text(subject, functions_of(subject), package.name, picture=picture)


def _internal(includes: Mapping[str, str]) -> str:
    body = "\n".join(_indented(text) for text in includes.values())
    return f'package Internal "What models call"\n{body}end Internal;\n'


def _types(package: Package) -> str:
    """The enumerations of all models, each once."""
    found: dict[str, str] = {}
    for subject in package.everything:
        for variable in subject.parameters:
            if variable.choices:
                items = ", ".join(variable.choices)
                found[type_name(variable)] = f"  type {type_name(variable)} = enumeration({items});\n"
    return f'package Types "Choices"\n{"".join(found.values())}end Types;\n' if found else ""


def _annotation(package: Package) -> str:
    info = string(_INFO.format(about=escape(package.about), version=package.version))
    uses = 'uses(Modelica(version="4.0.0")), ' if any(subject.files for subject in package.everything) else ""
    return f'  annotation(version="{package.version}", {uses}Documentation(info={info}));\n'


def _indented(text: str) -> str:
    """The same two blanks further in, but for lines within strings, which are as they are."""
    lines, inside = [], False
    for line in text.splitlines(keepends=True):
        lines.append(line if inside else textwrap.indent(line, "  "))
        quotes = line.replace("\\\\", "").replace('\\"', "").count('"')
        inside = inside != bool(quotes % 2)
    return "".join(lines)
