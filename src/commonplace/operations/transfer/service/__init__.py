"""Export and import for the operator: what is moved, and how rows enter the store."""
