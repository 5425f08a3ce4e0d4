"""Latin words: spelling, tokens, lemmas, stop words, frequencies."""

from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.guesser import Analysis
from locisimiles.latin.lemmas import (
    AnalysedToken,
    Lemmatizer,
    WeightedAnalysis,
    analyse,
    lemmatize,
)
from locisimiles.latin.lemmatizers import choose_lemmatizer
from locisimiles.latin.orthography import Folded, fold, fold_text, fold_word
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.tokens import Token, TokenTable, tokenize, tokenize_all

__all__ = [
    "STOPWORDS",
    "AnalysedToken",
    "Analysis",
    "Folded",
    "Frequencies",
    "Lemmatizer",
    "Token",
    "TokenTable",
    "WeightedAnalysis",
    "analyse",
    "choose_lemmatizer",
    "fold",
    "fold_text",
    "fold_word",
    "lemmatize",
    "tokenize",
    "tokenize_all",
]
