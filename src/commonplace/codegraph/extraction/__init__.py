"""One source file to facts: scopes, definitions, exports and references."""
