"""What long work shows in a terminal."""
