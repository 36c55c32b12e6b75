"""Bytes from files and the web, and text with its structure out of them."""
