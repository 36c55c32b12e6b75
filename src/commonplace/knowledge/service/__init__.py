"""The verbs of entries, what they have in common, and what is made anew of them."""
