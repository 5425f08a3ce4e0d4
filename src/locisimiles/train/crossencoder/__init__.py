"""Cross-encoders, trained on a benchmark fold by fold."""
