"""A cross-encoder of our own: reads query and source together and says what the pair is."""
