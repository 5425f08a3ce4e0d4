"""Shared by all trainings: corpora, files, settings, checkpoints, folds."""
