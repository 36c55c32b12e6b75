"""Posting lists: which chunks have a token, packed so that a million rank in milliseconds.

They are derived from the texts and kept in the same database. Without them, searches use the
store's text index and find the same.
"""
