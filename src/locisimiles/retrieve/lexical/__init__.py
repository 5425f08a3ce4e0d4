"""Lexical retrieval: BM25 and TF-IDF over an inverted index of terms."""
