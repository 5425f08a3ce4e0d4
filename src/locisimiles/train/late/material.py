"""What pairs are made of: contexts, words of like meaning, common words, and wrong answers."""

from __future__ import annotations

import csv
import math
import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.corpus import Document, Segment
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.lemmatizers import choose_lemmatizer
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.models.vectors import shipped_vectors
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.common.corpora import read_sentences
from locisimiles.train.encoder.corpus import prepared_lines
from locisimiles.train.late.alterations import WordChoices, nearest_lemmas, synonyms_by_sense
from locisimiles.train.late.pieces import STOPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.progress import Progress
    from locisimiles.train.late.pairs import MadePair

__all__ = [
    "Sense",
    "common_words",
    "number_doubles",
    "read_contexts",
    "read_senses",
    "word_choices",
    "wrong_sources",
]

_MOST_CONTEXTS = 200_000
_SHORTEST, _LONGEST = 7, 46  # units of a context
_LEAST_RARITY = 3.2  # a lemma that one of 25 sources has, or more of them, is frequent
_MANY = 5
_SPARE = 8  # what is searched beyond what is wanted, as some of it is the answer
_COLUMNS = ("synset", "pos", "lemma")


class Sense(NamedTuple):
    """A lemma in a set of synonyms."""

    synset: str
    pos: str
    lemma: str


def read_contexts(
    paths: Sequence[str | Path],
    *,
    most: int = _MOST_CONTEXTS,
    seed: int = 0,
    progress: Progress = silent,
) -> list[list[str]]:
    """Draw sentences into which words are carried.

    Parameters
    ----------
    paths
        Text files with a sentence a line, or what `prepare_corpus` made of such files: units are
        found in both alike.
    most
        How many lines are drawn; those that are no Latin, too short or too long are left out then.
    seed
        The same seed draws the same lines.
    progress
        Called file by file.

    Raises
    ------
    InputError
        If a file cannot be read.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    drawn: list[str] = []
    seen = 0
    for done, path in enumerate(paths):
        progress("reading contexts", done, len(paths))
        for batch in read_sentences(path):
            for line in batch:
                seen += 1
                if len(drawn) < most:
                    drawn.append(line)
                elif (place := int(rng.random() * seen)) < most:
                    drawn[place] = line
    progress("reading contexts", len(paths), len(paths))
    sentences = (line.split() for line in prepared_lines([drawn]))
    return [words for words in sentences if _SHORTEST <= len(words) <= _LONGEST]


def read_senses(path: Path) -> list[Sense]:
    """Read a WordNet: a table between tabs with columns synset, pos and lemma.

    Raises
    ------
    InputError
        If it cannot be read, or has no such columns.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
            missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise MalformedInputError(
                    f"there is no column {missing[0]!r}",
                    file=str(path),
                    hint="the first line names the columns synset, pos and lemma, with tabs",
                )
            return [
                Sense(row["synset"], row["pos"], spell_lemma(row["lemma"]))
                for row in rows
                if all(row[name] for name in _COLUMNS)
            ]
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise MalformedInputError(f"this is no table ({error})", file=str(path)) from error


def word_choices(
    sources: Sequence[Sequence[str]], senses: Iterable[Sense] | None = None
) -> WordChoices:
    """Collect forms and words of like meaning between those of the sources.

    Like meaning is what has near vectors (those that come with the package), or a sense in common.

    Parameters
    ----------
    sources
        Sentences as folded words and stops.
    senses
        A WordNet; None if there is none.
    """
    words = [word for sentence in sources for word in sentence if word not in STOPS]
    forms = sorted(set(words))
    lemma = dict(zip(forms, choose_lemmatizer("fast")(forms), strict=True))
    lemmas = sorted(set(lemma.values()))
    near = nearest_lemmas(shipped_vectors(), lemmas)
    alike = synonyms_by_sense((sense.synset, sense.lemma) for sense in senses or ())
    known = set(lemmas)
    found = {
        name: [*near.get(name, ()), *(other for other in alike.get(name, ()) if other in known)]
        for name in lemmas
    }
    synonyms = {name: others for name, others in found.items() if others}
    return WordChoices.of_words(words, lemma, synonyms)


def common_words(sources: Sequence[Sequence[str]], lemma: Mapping[str, str]) -> frozenset[str]:
    """Return what makes no reference: stops, function words, and forms of frequent lemmas.

    A lemma that fewer than five sources have is never frequent, however few sources there are.

    Examples
    --------
    >>> lemma = {"arma": "arma", "et": "et", "cano": "cano", "canit": "cano"}
    >>> sources = [["arma", "et", "cano"], *[["canit", "."]] * 4]
    >>> sorted(common_words(sources, lemma) - STOPS)
    ['canit', 'cano', 'et']
    """
    found = Counter(name for own in sources for name in {lemma[w] for w in own if w in lemma})
    frequent = {
        name
        for name, n in found.items()
        if n >= _MANY and math.log((len(sources) + 1) / (n + 1)) < _LEAST_RARITY
    }
    without = STOPWORDS | frequent
    return STOPS | {form for form, name in lemma.items() if form in STOPWORDS or name in without}


def number_doubles(sources: Sequence[Sequence[str]]) -> NDArray[np.int32]:
    """Return a number for each source, the same for the same words.

    Examples
    --------
    >>> number_doubles([["arma"], ["cano"], ["arma"]]).tolist()
    [0, 1, 0]
    """
    known: dict[tuple[str, ...], int] = {}
    return np.array([known.setdefault(tuple(own), len(known)) for own in sources], np.int32)


def wrong_sources(
    pairs: Sequence[MadePair],
    sources: Document,
    doubles: NDArray[np.int32],
    *,
    count: int = 24,
    progress: Progress = silent,
) -> NDArray[np.int32]:
    """Find sources that share words with each sentence, but are not what it was made from.

    Parameters
    ----------
    pairs
        The sentences.
    sources
        All sources.
    doubles
        A number for each; those with the same words as the answer are left out.
    count
        How many are kept for each sentence.
    progress
        Called while BM25 searches.

    Returns
    -------
    NDArray
        A row a pair, the likeliest first, -1 where there are no more.
    """
    sentences = Document.from_segments(
        Segment(str(number), " ".join(pair.words)) for number, pair in enumerate(pairs)
    )
    found = BM25().index(sources).search(sentences, count + _SPARE, progress=progress)
    wrong = np.full((len(pairs), count), -1, np.int32)
    for row, pair in enumerate(pairs):
        likely, _ = found.of_query(row)
        others = likely[doubles[likely] != doubles[pair.source]][:count]
        wrong[row, : len(others)] = others
    return wrong
