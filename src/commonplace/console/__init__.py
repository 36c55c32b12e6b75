"""The console: pages in which people see what agents know, trust it and correct it."""
