"""Kernels some of whose functions are those of others: each kernel's own name is yet to be given to them.

A kernel whose functions take a view with names has no place here: what it shares is called by functions of its own.
"""

SHARED: dict[str, dict[str, str]] = {}
"""kernel -> kind of function -> the function that does it, "" where its own is only for another one."""
