"""What agents asked, what they were given, and how their calls ended."""
