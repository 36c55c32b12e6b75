"""The `institutional` dialect: capture, recall and learning."""
