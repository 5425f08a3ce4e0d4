"""Inputs of synthetic pairs: contexts, synonyms, common words; and their hard negatives."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.corpus import Document, Segment
from locisimiles.files.decoding import decode
from locisimiles.files.raw import read_raw
from locisimiles.files.tables import delimited_rows, table_from_rows
from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.lemmatizers import choose_lemmatizer
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.models.vectors import shipped_vectors
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.common.corpora import read_corpora
from locisimiles.train.encoder.corpus import prepared_lines
from locisimiles.train.late.alterations import WordChoices, nearest_lemmas, synonyms_by_sense
from locisimiles.train.late.pieces import STOPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.progress import Progress
    from locisimiles.train.late.synthetic import SyntheticPair

__all__ = [
    "Sense",
    "common_words",
    "find_negatives",
    "number_duplicates",
    "read_contexts",
    "read_senses",
    "word_choices",
]

_MOST_CONTEXTS = 200_000
_SHORTEST, _LONGEST = 7, 46  # tokens of a context
_LEAST_RARITY = 3.2  # a lemma is frequent if one in 25 sources has it
_MANY = 5
_SPARE = 8  # searched beyond what is needed, as some candidates are the answer


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
    """Draw sentences into which words are set, as tokens.

    At most `most` lines of the files are drawn; those that are not Latin, too short or too long are
    then dropped. Files may be prepared by `prepare_corpus` or not.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    drawn: list[str] = []
    seen = 0
    for batch in read_corpora(paths, "reading contexts", progress):
        for line in batch:
            seen += 1
            if len(drawn) < most:
                drawn.append(line)
            elif (place := int(rng.random() * seen)) < most:
                drawn[place] = line
    sentences = (line.split() for line in prepared_lines([drawn]))
    return [words for words in sentences if _SHORTEST <= len(words) <= _LONGEST]


def read_senses(path: Path) -> list[Sense]:
    """Read a WordNet: a tab-separated table with columns synset, pos and lemma."""
    raw = read_raw(path)
    rows = delimited_rows(decode(raw)[0], "\t", raw.name, quoted=False)
    table = table_from_rows(rows, raw.name)
    for name in Sense._fields:
        table.require([name])
    return [
        Sense(cells["synset"], cells["pos"], spell_lemma(cells["lemma"]))
        for _, cells in table.rows
        if all(cells[name] for name in Sense._fields)
    ]


def word_choices(
    sources: Sequence[Sequence[str]], senses: Iterable[Sense] | None = None
) -> WordChoices:
    """Collect the forms and synonyms of the sources' words.

    Synonyms have near vectors (those of the package), or share a sense of a WordNet.
    """
    words = [word for sentence in sources for word in sentence if word not in STOPS]
    forms = sorted(set(words))
    lemma = dict(zip(forms, choose_lemmatizer("fast")(forms), strict=True))
    lemmas = sorted(set(lemma.values()))
    near = nearest_lemmas(shipped_vectors(), lemmas)
    shared = synonyms_by_sense((sense.synset, sense.lemma) for sense in senses or ())
    known = set(lemmas)
    synonyms = {
        name: [*near.get(name, ()), *(other for other in shared.get(name, ()) if other in known)]
        for name in lemmas
    }
    return WordChoices.from_words(
        words, lemma, {name: others for name, others in synonyms.items() if others}
    )


def common_words(sources: Sequence[Sequence[str]], lemma: Mapping[str, str]) -> frozenset[str]:
    """Return words that make no reference: punctuation, function words, forms of frequent lemmas.

    A lemma in fewer than five sources is never frequent.

    Examples
    --------
    >>> lemma = {"arma": "arma", "et": "et", "cano": "cano", "canit": "cano"}
    >>> sources = [["arma", "et", "cano"], *[["canit", "."]] * 4]
    >>> sorted(common_words(sources, lemma) - STOPS)
    ['canit', 'cano', 'et']
    """
    counts = Counter(name for words in sources for name in {lemma[w] for w in words if w in lemma})
    frequent = {
        name
        for name, n in counts.items()
        if n >= _MANY and math.log((len(sources) + 1) / (n + 1)) < _LEAST_RARITY
    }
    common = STOPWORDS | frequent
    return STOPS | {form for form, name in lemma.items() if form in STOPWORDS or name in common}


def number_duplicates(sources: Sequence[Sequence[str]]) -> NDArray[np.int32]:
    """Return a number for each source; sources with the same words have the same number.

    Examples
    --------
    >>> number_duplicates([["arma"], ["cano"], ["arma"]]).tolist()
    [0, 1, 0]
    """
    numbers: dict[tuple[str, ...], int] = {}
    return np.array([numbers.setdefault(tuple(w), len(numbers)) for w in sources], np.int32)


def find_negatives(
    pairs: Sequence[SyntheticPair],
    sources: Document,
    duplicates: NDArray[np.int32],
    *,
    count: int = 24,
    progress: Progress = silent,
) -> NDArray[np.int32]:
    """Find hard negatives: sources that share words with a pair's sentence, but are not its source.

    Return up to `count` positions for each pair, the best first, padded with -1. Sources with the
    same number in `duplicates` as the pair's source are left out.
    """
    sentences = Document.from_segments(
        Segment(str(number), " ".join(pair.words)) for number, pair in enumerate(pairs)
    )
    candidates = BM25().index(sources).search(sentences, count + _SPARE, progress=progress)
    negatives = np.full((len(pairs), count), -1, np.int32)
    for row, pair in enumerate(pairs):
        likely, _ = candidates.of_query(row)
        others = likely[duplicates[likely] != duplicates[pair.source]][:count]
        negatives[row, : len(others)] = others
    return negatives
