"""The workspace wing: projects, their attachments, and reading, refreshing and searching them."""
