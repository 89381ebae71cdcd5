"""What is kept on this machine: players' tokens, and the evidence of their races."""
