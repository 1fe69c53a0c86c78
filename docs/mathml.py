"""Equations as docstrings have them, in plain Unicode, turned into MathML, which browsers typeset without a network.

    m_11 u̇ = X + m_22 v_r r - d_11 u_r,  f_i = ½ ρ A V² k_l sin 2α,  S_w = 2 μ σ²/(1 + x²)^(4/3)

A space multiplies; what stands without a space on both sides of "/" is a fraction; _ and ^ take a word, a number or
what is in brackets; "[a, b; c, d]" is a matrix; words of three letters or more are words, but for functions.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from html import escape


class UnreadableError(ValueError):
    """A line is no equation that this can read."""


FUNCTIONS = frozenset(
    (
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "ln", "log", "min", "max",
        "sgn", "sign", "diag", "round", "Re", "det",
    )
)  # fmt: skip
_SHORT_WORDS = frozenset(("as", "at", "by", "if", "in", "is", "it", "no", "of", "on", "or", "so", "to"))
_ABOVE = {"\u0307": "˙", "\u0308": "¨", "\u0302": "^", "\u0304": "¯", "\u0303": "~"}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", "0123456789+−nT", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖ", "0123456789ijk", strict=True))
_RELATIONS = frozenset("=<>≤≥≈∝∈")
_CLOSED_BY = {"(": ")]", "[": ")]", "{": "}", "|": "|"}  # "[-π, π)" is an interval
_MARK = r"[\u0300-\u036f]"
_LETTER = rf"(?:[A-Za-zΑ-Ωα-ωϕ]{_MARK}*)"
_TOKEN = re.compile(
    rf"(?P<space> +)|(?P<code>`[^`]+`|\"[^\"]+\")|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?|[½¼⅓])"
    rf"|(?P<word>[A-Za-z]{{2,}}\d*(?!{_MARK})|[A-Za-z]\d+)|(?P<letter>{_LETTER}|[∂∇∠∞°])|(?P<sub>_)|(?P<sup>\^)"
    r"|(?P<up>[⁰¹²³⁴-⁹⁺⁻ⁿᵀ]+)|(?P<down>[₀-₉ᵢⱼₖ]+)|(?P<prime>')|(?P<root>√)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<bar>\|)"
    r"|(?P<operator>[-+±∓∘·×/*,;:…→=<>≤≥≈∝∈])|(?P<big>[Σ∏Π∫])"
)
_BELOW = re.compile(rf"∞|\|{_LETTER}\|{_LETTER}|(?:{_LETTER}|\d)+(?:,[a-z](?![a-z(]))?")


@dataclass
class _Piece:
    """A piece of MathML; `inner` is what is between its brackets, if it is no more than brackets and may lose them."""

    markup: str
    inner: str = ""


def mathml(text: str) -> str:
    """An equation as an element of MathML, with its text beside it, as it is copied. Raises UnreadableError."""
    row = _Reader(unicodedata.normalize("NFD", text.strip())).row("")
    plain = escape(text.strip().replace("`", ""))
    return (
        f'<math displaystyle="true"><semantics><mrow>{row}</mrow>'
        f'<annotation encoding="text/plain">{plain}</annotation></semantics></math>'
    )


def is_equation(text: str, *, words: float = 0.65) -> bool:
    """Whether a line is rather an equation than a sentence: it has a relation, and few words, none before it."""
    bare = re.sub(r"`[^`]*`", "c", text)
    left, relation, _ = bare.partition(next((char for char in bare if char in _RELATIONS), "\0"))
    if not relation or ". " in text or text.startswith("**") or re.search(r"[A-Za-z]{3,} [a-z]{2,}\b(?! *[=(])", left):
        return False
    return len(_words(text)) <= words * len(text.split())


def remark(text: str) -> int:
    """Where the words begin that are said of an equation, if they are many: "f = d u, where d is not 0"."""
    found = _words(text)
    relation = next((place for place, char in enumerate(text) if char in _RELATIONS), len(text))
    behind = [place for place in found if place > relation]
    return behind[0] if behind and len(found) > 0.35 * len(text.split()) else len(text)


def _words(text: str) -> list[int]:
    """Where the words of a text are that are none of mathematics."""
    words = re.finditer(r"(?<![\w`\"_{,])[A-Za-z]{2,}(?![\w`\"])", text)
    return [word.start() for word in words if _is_text(word[0])]


def _is_text(word: str) -> bool:
    return word not in FUNCTIONS and (len(word) > 2 or word in _SHORT_WORDS)


class _Reader:
    """Reads an equation from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.flat = False  # in a script, where fractions stay on the line

    def _next(self) -> tuple[str, str]:
        """The kind and the text of the token here; two empty texts at the end."""
        if self.at >= len(self.text):
            return "", ""
        if not (found := _TOKEN.match(self.text, self.at)):
            raise UnreadableError(f"no sign of an equation: {self.text[self.at]!r} in {self.text!r}")
        return str(found.lastgroup), found[0]

    def _take(self) -> tuple[str, str]:
        kind, text = self._next()
        self.at += len(text)
        return kind, text

    def row(self, closers: str) -> str:
        """All up to one of some closing brackets, which is not taken, or to the end."""
        done: list[str] = []
        begins = True  # so a sign here belongs to what follows it
        while True:
            kind, text = self._next()
            if not kind:
                if closers:
                    raise UnreadableError(f"a bracket is not closed: {self.text!r}")
                return "".join(done)
            if text in closers and kind in ("close", "bar"):
                return "".join(done)
            if kind == "close":
                raise UnreadableError(f"a bracket is closed that was not opened: {self.text!r}")
            if kind == "space":
                self._take()
                done.append(f'<mspace width="{"0.2em" if len(text) == 1 else "1.6em"}"/>')
            elif kind == "operator":
                self._take()
                form = ' form="prefix"' if begins and text in "+-±∓" else ""
                done.append(f"<mo{form}>{escape(text.replace('-', '−'))}</mo>")
                begins = True
            else:
                done.append(self._run())
                begins = False

    def _run(self, fractions: bool = True) -> str:
        """What stands together without spaces and signs, and the fraction that it may be."""
        pieces = self._tight()
        if fractions and self._next()[1] == "/" and self.text[self.at + 1 : self.at + 2] not in (" ", ""):
            if self.flat:
                self._take()
                return _joined(pieces) + "<mo>/</mo>" + _joined(self._tight())
            self._take()
            below = self._tight()
            return f"<mfrac><mrow>{_bare(pieces)}</mrow><mrow>{_bare(below)}</mrow></mfrac>"
        return _joined(pieces)

    def _tight(self) -> list[_Piece]:
        pieces: list[_Piece] = []
        while self._next()[0] in ("code", "number", "word", "letter", "root", "open", "bar", "big"):
            if self._next()[0] == "bar" and self.inside_bars:
                break
            atom = self._atom()
            piece = self._scripts(atom)
            lone = piece is atom and not pieces and atom.inner.count("<mfrac>") == 1
            if lone and re.fullmatch(r"<mfrac>.*</mfrac>", atom.inner):  # its bar holds it together
                piece = _Piece(atom.inner)
            pieces.append(piece)
        if not pieces:
            raise UnreadableError(f"something is missing at {self.text[self.at :]!r} in {self.text!r}")
        return pieces

    inside_bars = False

    def _atom(self) -> _Piece:
        kind, text = self._take()
        if kind == "number":
            return _Piece(f"<mn>{text}</mn>")
        if kind == "letter":
            return _Piece(_letter(text))
        if kind == "code":
            return _Piece(f"<mtext>{escape(text.strip('`'))}</mtext>")
        if kind == "big":
            return _Piece(f'<mo largeop="false">{text.replace("Π", "∏").replace("Σ", "∑")}</mo>')
        if kind == "word":
            return self._word(text)
        if kind == "root":
            pieces = [self._scripts(self._atom())]
            return _Piece(f"<msqrt>{_bare(pieces)}</msqrt>")
        return self._bracket(text)

    def _word(self, text: str) -> _Piece:
        if text in FUNCTIONS:
            name = self._scripts(_Piece(f"<mi>{text}</mi>")).markup
            here = self.at
            if self._next()[0] == "space" and len(self._take()[1]) == 1 and self._begins():
                return _Piece(f'<mrow>{name}<mspace width="0.17em"/>{self._run(fractions=False)}</mrow>')
            self.at = here
            return _Piece(name)
        if _is_text(text) or text[-1].isdigit():
            return _Piece(f"<mtext>{text}</mtext>")
        return _Piece("".join(_letter(letter) for letter in text))

    def _begins(self) -> bool:
        """Whether what a function is of may begin here."""
        kind, text = self._next()
        return kind in ("letter", "number", "root") or (kind == "word" and not _is_text(text)) or text == "|"

    def _bracket(self, opening: str) -> _Piece:
        outside, self.inside_bars = self.inside_bars, opening == "|"
        start = self.at
        inner = self.row(_CLOSED_BY[opening])
        self.inside_bars = outside
        inside = self.text[start : self.at]
        closing = self._take()[1]
        if opening == "[" and ";" in inside:
            return _Piece(_matrix(inside))
        fenced = f"<mrow><mo>{opening}</mo><mrow>{inner}</mrow><mo>{closing}</mo></mrow>"
        return _Piece(fenced, "" if ", " in inside or opening != "(" else inner)

    def _scripts(self, base: _Piece) -> _Piece:
        """A piece with what stands below and above it."""
        below, above = "", ""
        while True:
            kind, text = self._next()
            if kind == "down":
                self._take()
                below += "".join(_letter(_SUBSCRIPTS[char]) for char in text)
            elif kind == "sub":
                self._take()
                below += self._below()
            elif kind == "up":
                self._take()
                above += "".join(_upright(_SUPERSCRIPTS[char]) for char in text)
            elif kind == "prime":
                self._take()
                above += "<mo>′</mo>"
            elif kind == "sup":
                self._take()
                above += self._above()
            elif text == "*" and self.text[self.at + 1 : self.at + 2] in ("]", ")", " ", ""):  # the conjugate
                self._take()
                above += "<mo>*</mo>"
            else:
                break
        if below and above:
            return _Piece(f"<msubsup>{base.markup}<mrow>{below}</mrow><mrow>{above}</mrow></msubsup>")
        if below:
            return _Piece(f"<msub>{base.markup}<mrow>{below}</mrow></msub>")
        return _Piece(f"<msup>{base.markup}<mrow>{above}</mrow></msup>") if above else base

    def _below(self) -> str:
        if self.text.startswith("{", self.at):
            return self._flat_group()
        if not (found := _BELOW.match(self.text, self.at)):
            raise UnreadableError(f"nothing stands below the line after _ in {self.text!r}")
        self.at = found.end()
        if found[0].startswith("|"):
            _, one, other = found[0].split("|")
            return f"<mo>|</mo>{_letter(one)}<mo>|</mo>{_letter(other)}"
        letters = re.findall(rf"{_LETTER}|\d|,|∞", found[0])
        upright = len(re.match(r"[A-Za-z]*", found[0])[0]) > 2  # type: ignore[index]  # a word, not indices
        return f"<mtext>{found[0]}</mtext>" if upright else "".join(map(_letter, letters))

    def _above(self) -> str:
        if self.text[self.at : self.at + 1] in ("{", "("):
            return self._flat_group()
        flat, self.flat = self.flat, True
        sign = self._take()[1].replace("-", "<mo>−</mo>") if self._next()[1] == "-" else ""
        raised = sign + self._scripts(self._atom()).markup
        self.flat = flat
        return raised

    def _flat_group(self) -> str:
        flat, self.flat = self.flat, True
        opening = self._take()[1]
        row = self.row(_CLOSED_BY[opening])
        self._take()
        self.flat = flat
        return row


def _joined(pieces: list[_Piece]) -> str:
    return "".join(piece.markup for piece in pieces)


def _bare(pieces: list[_Piece]) -> str:
    """Pieces, or what is in their brackets where a bar stands for these."""
    return pieces[0].inner if len(pieces) == 1 and pieces[0].inner else _joined(pieces)


def _letter(text: str) -> str:
    base, marks = text[0], text[1:]
    plain = f"<mn>{base}</mn>" if base.isdigit() else f"<mo>{base}</mo>" if base in "|,∠∂∇" else f"<mi>{base}</mi>"
    for mark in marks:
        if mark not in _ABOVE:
            raise UnreadableError(f"no mark that is known: {unicodedata.name(mark)} in {text!r}")
        plain = f'<mover accent="true">{plain}<mo>{_ABOVE[mark]}</mo></mover>'
    return plain


def _upright(char: str) -> str:
    if char == "T":
        return '<mi mathvariant="normal">T</mi>'
    return f"<mn>{char}</mn>" if char.isdigit() else f"<mo>{char}</mo>" if char in "+−" else f"<mi>{char}</mi>"


def _matrix(inside: str) -> str:
    rows = [_cells(row) for row in inside.split(";")]
    drawn = ["".join(f"<mtd>{_Reader(cell).row('')}</mtd>" for cell in row) for row in rows]
    table = "".join(f"<mtr>{row}</mtr>" for row in drawn)
    return f'<mrow><mo>[</mo><mtable columnspacing="0.8em">{table}</mtable><mo>]</mo></mrow>'


def _cells(row: str) -> list[str]:
    """The elements of a row of a matrix, between commas that are in no brackets."""
    cells, depth = [""], 0
    for char in row:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            cells.append("")
        else:
            cells[-1] += char
    return [cell.strip() for cell in cells]
