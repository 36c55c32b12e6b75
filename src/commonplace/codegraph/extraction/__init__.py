"""Extraction: reads one source file into scopes, definitions, exports and references."""
