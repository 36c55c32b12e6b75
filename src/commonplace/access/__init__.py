"""Authentication: tokens, what they grant, and rate limits."""
