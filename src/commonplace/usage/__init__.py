"""How entries are used."""
