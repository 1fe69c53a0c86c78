"""The engine in WebAssembly: one module for every plan; docs/webassembly.md has its functions."""
