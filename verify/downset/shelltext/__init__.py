"""What a rule for a command sees of the text that a shell is given: a benchmark, not a proof."""
