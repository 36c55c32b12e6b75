"""The nouns of Commonplace: frozen values without behaviour that needs I/O."""
