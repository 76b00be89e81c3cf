"""The far side: what runs beside the game. It needs Python 3.8, NumPy and nothing of Lapis."""
