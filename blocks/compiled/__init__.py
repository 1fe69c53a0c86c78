"""Plans compiled whole: one C file from a plan, its kernels called by name, for this machine's compiler."""
