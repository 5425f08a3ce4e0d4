"""Benchmark sets: corpora, references, folds; built, loaded, exported."""
