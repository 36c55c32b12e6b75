"""Search over attachments, and questions about code by symbol name."""
