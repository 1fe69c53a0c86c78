from .errors import ShareError as ShareError
from .share import page_of as page_of
from .share import share as share
from .vary import Vary as Vary

__all__ = ["ShareError", "Vary", "page_of", "share"]
