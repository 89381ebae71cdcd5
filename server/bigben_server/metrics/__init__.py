"""What the operator's Prometheus reads from a server of one process or of several."""
