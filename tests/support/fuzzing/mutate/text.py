"""Damage to text that has words, numbers, units and indentation: YAML, CSV, XML."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from fuzzing.mutate.raw import raw

_TOKEN = re.compile(r"[^\W\d]\w*|[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[^\w\s]|\s+")
_NUMBER = re.compile(r"[-+]?\d")
NUMBERS = (
    "0", "-0", "-1", "1e400", "-1e308", "5e-324", "1e-320", "9" * 400, ".inf", "-.inf", ".nan", "nan", "inf", "1_000",
    "0x1F", "0o17",
    "1e", "1.2.3", "--1", "1e18", "1000000000000000000", "2147483648", "9007199254740993", "1,5", "٣", "½", "1:30",
    "12e03",
)  # fmt: skip
UNITS = (
    "1 m", "9**9**9 m", "1 m!", "1 []", "1 kn", "3 N s2/m2", "2 deg/s", "m m m", "1 / m", "1 m^999999", "1e999 kn",
    "10 °", "1 m**-1",
    "1 (m", "((((1 m))))", "1 furlong", "5 %", "1 degC", "1 dB", "m", "1 m/s/s/s/s", "1 m\u00b2", "1 \u03bcm",
    "1 " + "m*" * 500 + "m",
)  # fmt: skip
WORDS = (
    "", "~", "null", "true", "yes", "off", "{}", "[]", "[[]]", "{a: b}", "[1, 2, 3]", "''", '"', "'", "|", ">", "- ",
    "? ", ": ", "&a ",
    "*a", "<<: *a", "<<", "!!timestamp x", "!!binary x", "!!python/object:os.system x", "!!set {a}", "!!omap [a]",
    "!!float x",
    "!!int x", "2001-01-01", "2001-02-30", "=", "%YAML 9.9\n---\n", "---\n", "...\n", "#", "\t", "\x00", "\x07",
    "\x85", "\u2028",
    "\ufeff", "\ufffe", "é", "e\u0301", "\U0001f6a2", "\u202e", "a" * 5000, "../../etc/passwd", "/dev/zero",
    "/dev/stdin", "C:\\x", "&amp;", "<!", "<![CDATA[",
    "&bomb;", "]]>", "/>", "<x>", "__class__", "a.b.c[0]", "a[99999999999]", "%s%n", "{0}",
)  # fmt: skip
_MOST = 500_000
"""Characters, from which on a text is long enough."""
DEEP = ("[", "{a: ", "- ", "(", "<x>", "&a [", "[*a, ", "{? ")


def text(random: Random, content: bytes, alike: Sequence[bytes]) -> bytes:
    """One to four of: words, numbers and units put in, lines moved, deep nesting; now and then damage to bytes."""
    if random.random() < 0.1:
        return raw(random, content, alike)
    written = content.decode("utf-8", "surrogateescape")
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if len(written) > _MOST:
            break
        written = random.choice(_WAYS)(random, written, alike)
    return written.encode("utf-8", "surrogateescape")


def _replaced(random: Random, written: str, wanted: Callable[[str], bool], by: str) -> str:
    places = [found for found in _TOKEN.finditer(written) if wanted(found[0])]
    if not places:
        return written + by
    chosen = random.choice(places)
    return written[: chosen.start()] + by + written[chosen.end() :]


def _number(random: Random, written: str, _alike: Sequence[bytes]) -> str:
    return _replaced(random, written, lambda token: bool(_NUMBER.match(token)), random.choice(NUMBERS + UNITS))


def _word(random: Random, written: str, _alike: Sequence[bytes]) -> str:
    return _replaced(random, written, lambda token: not token.isspace(), random.choice(WORDS + NUMBERS + UNITS))


def _other_word(random: Random, written: str, _alike: Sequence[bytes]) -> str:
    """A word of the file in the place of another."""
    tokens = [token for token in _TOKEN.findall(written) if not token.isspace()]
    return _replaced(random, written, lambda token: not token.isspace(), random.choice(tokens)) if tokens else written


def _lines(random: Random, written: str, alike: Sequence[bytes]) -> str:
    """Lines left out, doubled, many times doubled, exchanged, indented, or taken from elsewhere."""
    lines = written.splitlines(keepends=True) or [""]
    first = random.randrange(len(lines))
    last = min(len(lines), first + random.choice((1, 1, 1, 2, 5, 20)))
    piece = lines[first:last]
    foreign = random.choice(alike).decode("utf-8", "surrogateescape").splitlines(keepends=True) or [""]
    place = random.randrange(len(foreign))
    instead: list[str] = random.choice((
        [], piece * 2, piece * random.choice((3, 300)), piece[::-1], [f"  {line}" for line in piece],
        [line.lstrip() for line in piece], [line[1:] for line in piece], foreign[place : place + 5], ["\t", *piece],
        [line.rstrip("\n") for line in piece],
    ))  # fmt: skip
    return "".join([*lines[:first], *instead, *lines[last:]])


def _nested(random: Random, written: str, _alike: Sequence[bytes]) -> str:
    depth = random.choice((3, 30, 300, 3000, 50000))
    return _replaced(random, written, lambda token: not token.isspace(), random.choice(DEEP) * depth)


def _bomb(random: Random, written: str, _alike: Sequence[bytes]) -> str:
    """Anchors that double at every line, or that name themselves."""
    if random.random() < 0.5:
        return f"x: &x [*x, {{<<: *x}}]\n{written}"
    count = random.choice((5, 30))
    head = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else '1'}]\n" for i in range(count))
    return head + written if random.random() < 0.5 else written + head


_WAYS: tuple[Callable[[Random, str, Sequence[bytes]], str], ...] = (
    _number, _number, _word, _word, _other_word, _other_word, _lines, _lines, _nested, _bomb,
)  # fmt: skip
