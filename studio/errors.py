"""What keeps something from becoming a page."""

from __future__ import annotations

from blocks.errors import KeelblocksError


class ShareError(KeelblocksError):
    """Something cannot be a page: what of it, why, and the way out."""

    code = "share"
