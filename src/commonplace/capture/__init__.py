"""From a text to knowledge: its moments, without secrets, without what is known already."""
