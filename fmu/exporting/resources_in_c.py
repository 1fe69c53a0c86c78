"""The resources of an FMU as C, for targets without a file system: `runtime/c/resources_in_c.c` reads them."""

from __future__ import annotations

import struct
from collections.abc import Mapping

_ROW = 6  # numbers in a line

_HEAD = """\
/* The resources of this FMU, for machines without files: with -DKEELBLOCKS_NO_FILES they are read here. Eight bytes
 * in a number, as they are in the files, which are little-endian, as the target has to be. */
"""

_ENTRY = """
static const union {{ /* aligned as doubles are */
    unsigned long long numbers[{count}];
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
    """A header with these files, by their names: an array of each, and a table of them.

    Of numbers of 64 bits, of which a compiler reads an eighth as many as of bytes.
    """
    entries, rows = [], []
    for number, (name, content) in enumerate(resources.items()):
        symbol = f"kb_resource_{number}"
        count = max(-(-len(content) // 8), 1)
        words = [f"0x{n:x}" if n > 9 else str(n) for n in struct.unpack(f"<{count}Q", content.ljust(8 * count, b"\0"))]
        lines = (words[first : first + _ROW] for first in range(0, count, _ROW))
        numbers = ",\n".join(", ".join(row) for row in lines)
        entries.append(_ENTRY.format(count=count, size=len(content), symbol=symbol, numbers=numbers))
        rows.append(f'    {{"{name}", {symbol}.bytes, sizeof {symbol}.bytes}},')
    return _HEAD + "".join(entries) + _TABLE.format(rows="\n".join(rows))
