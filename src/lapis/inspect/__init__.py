"""What a player does with its time, for people who debug agents."""
