"""A word of a passage: its lemmas, what the dictionary says, and how frequent it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.app.storage.tables.searches import search_to_read
from locisimiles.app.storage.tables.words import forms_of_lemma
from locisimiles.errors import InputError
from locisimiles.latin import Frequencies, Lemmatizer, tokenize
from locisimiles.latin.dictionary import Dictionary, DictionaryEntry
from locisimiles.latin.orthography import EDITORIAL_SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.app.projects.project import Project

__all__ = ["LemmaFacts", "WordFacts", "WordPart", "forms_in_project", "look_up", "word_spans"]

_LONGEST_WORD = 80
_MOST_LEMMAS = 4
_SIGNS = re.escape(EDITORIAL_SIGNS)
_WORD = re.compile(rf"[^\W\d_]+(?:[{_SIGNS}]+[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class LemmaFacts:
    """A lemma that a form may belong to.

    Attributes
    ----------
    lemma, pos, probability
        The lemma, its most likely part of speech (UPOS), and how likely the lemma is.
    entries
        What the dictionary says; nothing if it lacks the lemma.
    sentences
        In how many sentences of Latin it occurs, of `WordFacts.all_sentences`.
    """

    lemma: str
    pos: str
    probability: float
    entries: tuple[DictionaryEntry, ...]
    sentences: int


@dataclass(frozen=True, slots=True)
class WordPart:
    """A word without its enclitic, or the enclitic, and the lemmas it may belong to."""

    form: str
    lemmas: tuple[LemmaFacts, ...]


@dataclass(frozen=True, slots=True)
class WordFacts:
    """A form and its parts, and in how many sentences of Latin lemmas were counted."""

    form: str
    parts: tuple[WordPart, ...]
    all_sentences: int


def look_up(form: str) -> WordFacts:
    """Return what is known of a form, or raise an InputError if it is no word.

    Examples
    --------
    >>> word = look_up("virumque")
    >>> [(part.form, part.lemmas[0].lemma) for part in word.parts]
    [('virum', 'uir'), ('que', 'que')]
    >>> word.parts[0].lemmas[0].entries[0].senses[0]
    'man'
    """
    tokens = [token.text for token in tokenize(form[:_LONGEST_WORD])]
    if not tokens or len(form) > _LONGEST_WORD:
        raise InputError("app.no_word", word=form[:_LONGEST_WORD])
    parts = tuple(WordPart(token, tuple(_lemmas(token))) for token in tokens)
    return WordFacts(form, parts, Frequencies.shipped().sentences)


def forms_in_project(
    project: Project, lemma: str, search: int | None = None
) -> dict[str, dict[str, int]]:
    """Count the forms of a lemma on both sides of a search, the most frequent first."""
    database = project.database
    with database.reading() as connection:
        number = search_to_read(connection, search)
        return forms_of_lemma(connection, database.key, number, lemma)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text are, enclitics included.

    Examples
    --------
    >>> word_spans("uir[um]que, 3 <cano>")
    [(0, 10), (15, 19)]
    """
    return [found.span() for found in _WORD.finditer(text)]


def _lemmas(token: str) -> Iterator[LemmaFacts]:
    """Yield the likely lemmas of a token; what one lemma has as several words is added up."""
    dictionary, frequencies = Dictionary.shipped(), Frequencies.shipped()
    tags: dict[str, str] = {}
    chances: dict[str, float] = {}
    for analysis in Lemmatizer.shipped().analyse([token], "fast")[0].analyses:
        tags.setdefault(analysis.lemma, analysis.pos)
        chances[analysis.lemma] = chances.get(analysis.lemma, 0.0) + analysis.probability
    for lemma in sorted(chances, key=lambda lemma: -chances[lemma])[:_MOST_LEMMAS]:
        entries = tuple(dictionary.find(lemma, tags[lemma]))
        count = frequencies.count(lemma)
        yield LemmaFacts(lemma, tags[lemma], round(chances[lemma], 4), entries, count)
