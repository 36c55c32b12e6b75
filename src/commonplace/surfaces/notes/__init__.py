"""The `notes` dialect: store, search and supersede what agents learn."""
