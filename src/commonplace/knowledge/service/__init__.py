"""Operations on entries, what they share, and rebuilding of derived data."""
