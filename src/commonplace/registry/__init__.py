"""Skills and knowledge units: validation, quality, and trust between agents."""
