"""Commands of `keelblocks` that write FMUs; they come to it by an entry point."""
