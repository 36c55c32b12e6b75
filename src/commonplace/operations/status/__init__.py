"""How the server is: what it holds, what waits, what went wrong."""
