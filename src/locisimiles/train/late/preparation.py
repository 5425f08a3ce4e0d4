"""Pairs of real or synthetic texts as columns of word pieces, ready for tuning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.latin.units import text_units
from locisimiles.progress import silent
from locisimiles.train.late.pieces import PieceTable, TuningData, rarity
from locisimiles.train.late.synthetic import make_synthetic_pairs
from locisimiles.train.late.synthetic_inputs import (
    common_words,
    find_negatives,
    number_duplicates,
    read_contexts,
    read_senses,
    word_choices,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["LONGEST_QUERY", "WordPairs", "make_rule_pairs", "tuning_data", "words_of"]

LONGEST_QUERY = 100
"""Pieces of a query; sources, few of which are long, are cut off earlier."""


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Pairs before their words are cut into pieces.

    Attributes
    ----------
    queries
        The words and stops of each query.
    answer
        The source of each query.
    negatives
        Hard negatives, a row per query, padded with -1.
    """

    queries: Sequence[Sequence[str]]
    answer: NDArray[np.int32]
    negatives: NDArray[np.int32]


def words_of(document: Document) -> list[list[str]]:
    """Return the words and stops of each segment, as the encoder reads them."""
    return [[unit.text for unit in units] for units in text_units(document.texts)]


def make_rule_pairs(
    sources: Document,
    words: Sequence[Sequence[str]],
    contexts: Sequence[Path],
    *,
    synonyms: Path | None = None,
    pairs: int = 100_000,
    seed: int = 0,
    progress: Progress = silent,
) -> WordPairs:
    """Make synthetic pairs by rule and find hard negatives; `words` are those of the sources.

    Raises
    ------
    InputError
        If a file cannot be read.
    ParameterError
        If no source has words to allude to.
    """
    senses = read_senses(synonyms) if synonyms else None
    drawn = read_contexts(contexts, seed=seed, progress=progress)
    progress("making pairs", 0, pairs)
    choices = word_choices(words, senses)
    common = common_words(words, choices.lemma)
    synthetic = make_synthetic_pairs(words, drawn, choices, common, count=pairs, seed=seed)
    progress("making pairs", pairs, pairs)
    negatives = find_negatives(synthetic, sources, number_duplicates(words), progress=progress)
    return WordPairs(
        [pair.words for pair in synthetic],
        np.array([pair.source for pair in synthetic], np.int32),
        negatives,
    )


def tuning_data(
    tokenizer: Any,  # noqa: ANN401 - tokenizers has no types
    vocabulary: int,
    words: Sequence[Sequence[str]],
    pairs: WordPairs,
) -> TuningData:
    """Cut sources and queries into pieces of a vocabulary."""
    table = PieceTable.from_sentences(tokenizer, words)
    return TuningData(
        table,
        PieceTable.from_sentences(tokenizer, pairs.queries, LONGEST_QUERY),
        rarity(table, vocabulary),
        pairs.answer,
        pairs.negatives,
        number_duplicates(words),
    )
