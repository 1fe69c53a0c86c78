"""Blocks from text: equations are read, checked for units and shapes, and become a program for one kernel."""
