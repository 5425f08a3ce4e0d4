"""Latin words: spelling, tokens, lemmas, stopwords, frequencies."""

from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.lemmas import Analysis, Candidate, Lemmatizer, analyse, lemmatize
from locisimiles.latin.lemmatizers import choose_lemmatizer
from locisimiles.latin.orthography import Folded, fold, fold_text, fold_word
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.tokens import Token, TokenTable, tokenize, tokenize_all

__all__ = [
    "STOPWORDS",
    "Analysis",
    "Candidate",
    "Folded",
    "Frequencies",
    "Lemmatizer",
    "Token",
    "TokenTable",
    "analyse",
    "choose_lemmatizer",
    "fold",
    "fold_text",
    "fold_word",
    "lemmatize",
    "tokenize",
    "tokenize_all",
]
