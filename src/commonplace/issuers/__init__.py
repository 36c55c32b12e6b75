"""Issuers of signed tokens: whether one was signed by them, and for this server."""
