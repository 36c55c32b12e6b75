"""Commit history of attached folders: which commits are kept, and in what form."""
