"""Elementary functions from operations that IEEE 754 defines, so that they give the same bits on every machine."""
