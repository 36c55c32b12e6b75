"""MCP clients: their configuration files as data, and the edits that connect them."""
