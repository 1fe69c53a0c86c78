"""Speed of Keelblocks as ratios, measured side by side in one run: against hand-written C and against its peers."""
