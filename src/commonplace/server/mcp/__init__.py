"""MCP on the official SDK: over HTTP and over stdio, the same tools and resources."""
