"""The `workspace` dialect: attached folders, records and notebooks behind one tool."""
