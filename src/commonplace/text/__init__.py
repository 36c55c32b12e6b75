"""Text as values: analysed into tokens, cleaned, counted, split and quoted. Pure, no I/O."""
