"""The symbol graph: definitions in code, references to them, and how each link was resolved."""
