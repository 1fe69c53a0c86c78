"""`python -m blocks.cli` is the command `keelblocks`."""

from blocks.cli import main

main()
