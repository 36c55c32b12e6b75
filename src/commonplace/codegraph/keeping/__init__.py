"""Facts and links as they are stored, and which of them a change makes stale."""
