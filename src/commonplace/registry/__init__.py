"""Skills and knowledge units: what is accepted, what it is worth, who vouches for whom."""
