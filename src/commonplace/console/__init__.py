"""The console: web pages in which people inspect, check and correct what agents know."""
