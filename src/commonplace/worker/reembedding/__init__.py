"""Changing the embedding model: the new vectors are made beside the old, then take their place."""
