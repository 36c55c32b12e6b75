"""The `documents` dialect: search and list the sources that people feed in."""
