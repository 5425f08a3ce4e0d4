"""Latin words: spelling, tokens, lemmas, stopwords."""

from locisimiles.latin.lemmas import lemmatize
from locisimiles.latin.orthography import fold
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.tokens import Token, tokenize

__all__ = ["STOPWORDS", "Token", "fold", "lemmatize", "tokenize"]
