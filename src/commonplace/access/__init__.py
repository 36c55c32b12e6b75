"""Who may call: tokens, what they grant, and how often they may be used."""
