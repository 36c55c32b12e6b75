"""What people ask that no agent does: chains, questions that were asked, how a day went."""
