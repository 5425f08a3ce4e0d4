"""A compact Latin encoder of our own: its corpus, its vocabulary, its network, its training."""
