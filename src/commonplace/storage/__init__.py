"""Where knowledge is kept: one port, and two databases behind it."""
