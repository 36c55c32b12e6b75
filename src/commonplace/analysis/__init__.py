"""Analysis of a single text: patterns, tone, confidence and probability. Pure, no I/O."""
