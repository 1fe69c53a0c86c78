"""The resources of an FMU as C, for targets without a file system: `runtime/c/resources_in_c.c` reads them."""

from __future__ import annotations

from collections.abc import Mapping

_ROW = 24  # numbers in a line

_HEAD = """\
/* The resources of this FMU, for machines without files: with -DKEELBLOCKS_NO_FILES they are read here. Bytes as in the
 * files, which are little-endian, as the target has to be. */
"""

_ENTRY = """
static const union {{ /* aligned as its numbers are */
    unsigned char bytes[{size}];
    double number;
}} {symbol} = {{{{
{numbers}
}}}};
"""

_TABLE = """
static const struct {{
    const char *name;
    const unsigned char *bytes;
    size_t size;
}} kb_resources[] = {{
{rows}
}};
"""


def resources_in_c(resources: Mapping[str, bytes]) -> str:
    """A header with these files, by their names: an array of bytes of each, and a table of them."""
    entries, rows = [], []
    for number, (name, content) in enumerate(resources.items()):
        symbol = f"kb_resource_{number}"
        lines = (content[first : first + _ROW] for first in range(0, len(content), _ROW))
        numbers = ",\n".join(", ".join(map(str, row)) for row in lines)
        entries.append(_ENTRY.format(size=len(content), symbol=symbol, numbers=numbers))
        rows.append(f'    {{"{name}", {symbol}.bytes, sizeof {symbol}.bytes}},')
    return _HEAD + "".join(entries) + _TABLE.format(rows="\n".join(rows))
