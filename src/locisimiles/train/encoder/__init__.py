"""A compact Latin encoder: its corpus, vocabulary, network and pretraining."""
