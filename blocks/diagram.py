"""Diagrams: blocks and the wires between them."""

from blocks.model.diagram import Diagram

__all__ = ["Diagram"]
