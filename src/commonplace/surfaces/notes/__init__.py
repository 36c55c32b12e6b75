"""The `notes` dialect: store, search and supersede notes of agents."""
