"""Search over attached knowledge, and what is asked of code by the name of a symbol."""
