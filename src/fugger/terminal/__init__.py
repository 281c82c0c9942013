"""The game in a terminal: one game by people and bots, and the showing of recorded ones."""
