"""Reads files and web pages: bytes to text with structure; folders and git history."""
