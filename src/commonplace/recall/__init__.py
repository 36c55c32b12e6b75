"""One question over everything that somebody may see: one ranking, one scale, one budget."""
