"""Search among vectors in memory, for stores that have no vector search of their own."""
