"""What scripts/bench and scripts/bench-http share: servers side by side under wrk."""
