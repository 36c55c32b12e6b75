"""The symbol graph: what code defines, what refers to it, and how each link is known."""
