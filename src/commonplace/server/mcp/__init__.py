"""MCP on the official SDK, over HTTP and stdio."""
