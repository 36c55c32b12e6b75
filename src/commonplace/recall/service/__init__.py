"""One question over everything: its interpretations, the data read for it, and its answer."""
