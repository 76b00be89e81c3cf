"""Training: configuration, the loop, and runs that can be stopped and resumed."""
