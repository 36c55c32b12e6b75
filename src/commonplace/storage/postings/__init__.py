"""Posting lists: which chunks have a token, packed so that a million are ranked in milliseconds.

Derived from the texts and kept in the database beside them: without them all is found as well.
"""
