"""Models of words and texts: vectors and encoders, from files of common formats."""
