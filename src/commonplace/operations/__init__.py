"""What an operator asks and moves: how the store is, what was done, everything out and in."""
