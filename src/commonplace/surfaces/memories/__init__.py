"""Anthropic's memory tool: six commands over files whose contents are entries."""
