"""The port's protocols, written once over the statements that both databases share."""
