"""YAML that must be refused, whatever kind of file it is: small cases as files, large ones made here."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "corpus" / "yaml"


def _repeated(first: str, line: str, count: int) -> str:
    return first + "".join(line.format(n=n, before=n - 1) for n in range(1, count))


LARGE = {
    "brackets": "[" * 50_000,
    "braces": "{" * 50_000,
    "keys_in_braces": "{a: " * 50_000,
    "dashes": "- " * 50_000,
    "question_marks": "? " * 50_000,
    "indentation": "".join(f"{' ' * depth}a:\n" for depth in range(500)),
    "aliases_deep": _repeated("a0: &a0 [x]\n", "a{n}: &a{n} [*a{before}]\n", 5000),
    "aliases_wide": _repeated("a0: &a0 [x, x]\n", "a{n}: &a{n} [*a{before}, *a{before}]\n", 60),
    "merges": _repeated("a0: &a0 {x: 1}\n", "a{n}: &a{n} {{<<: [*a{before}, *a{before}], y{n}: 1}}\n", 60),
    "bytes": "a: 1\n#" + "x" * (32 * 1024**2),
    "directives": _repeated("", "%TAG !a{n}! tag:x,{n}:\n", 100_000) + "---\na: 1\n",
    "long_key": "x" * 100_000 + ": 1\n" + "x" * 100_000 + ": 2\n",
    "long_key_twice": ("? " + "x" * 100_000 + "\n: 1\n") * 2,
    "long_tag": "a: !" + "x" * 100_000 + " b\n",
    "long_number": "a: !!int " + "9" * 100_000 + ".\n",
    "long_alias": "a: *" + "x" * 100_000 + "\n",
}


def cases() -> dict[str, bytes]:
    """Every case by its name."""
    small = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.yaml"))}
    return small | {name: text.encode() for name, text in LARGE.items()}
