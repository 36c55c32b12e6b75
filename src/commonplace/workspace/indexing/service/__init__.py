"""Indexing one folder: where its files come from, one run over them, and its status."""
