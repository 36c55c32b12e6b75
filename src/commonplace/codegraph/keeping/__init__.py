"""Facts and links as they are kept, and what has to be made anew after a change."""
