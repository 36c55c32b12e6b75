"""Which requests are let in: their Host, who sends them, what they may and how often."""
