"""What a text says about itself: patterns, tone, and how sure one can be. Pure, no I/O."""
