"""Changes of a text by place, under the name that readers and editors of YAML have for them."""

from blocks.replacement import Replacement as Replacement
from blocks.replacement import replaced as replaced
