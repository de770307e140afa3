"""What scripts/bench and scripts/bench-http are made of."""
