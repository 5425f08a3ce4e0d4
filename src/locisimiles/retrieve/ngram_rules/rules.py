"""The rules, and how they are chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import TermKind, check_term_kind
from locisimiles.retrieve.ngram_rules.index import NgramIndex
from locisimiles.retrieve.ngram_rules.words import WordReader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress

__all__ = ["NgramRules"]

_FEWEST_WORDS = 2
_WIDEST = 1000
_PARTS_OF_SPEECH = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
)


@dataclass(frozen=True, slots=True)
class NgramRules:
    r"""Find segments that share words close together in one clause, and rank them.

    After Schropp et al. and Revellio: a pair of segments is a candidate if a clause of each has at
    least `n` words in common, function words left out, and each of these stands at most `window`
    words from another of them on both sides, in any order. Two shared words are no such pair if
    punctuation that ends a clause cuts them apart (*scissa*), if they lack the parts of speech
    asked for, or if they are a formula: a common collocation, or words that are alike by their
    vectors. Whatever their places, `complura` shared words make a candidate too.

    The score is the rarity of the shared words, each held back by the distance to its nearest
    companion among them:

    .. math:: \sum_{t} \log\frac{N}{n_t} \max_{u} \frac{\rho_{tu}}
              {1 + \delta\,(d^q_{tu} - 1 + d^s_{tu} - 1)}

    with :math:`n_t` of :math:`N` sentences of Latin containing the word (see
    `locisimiles.latin.Frequencies`), distances :math:`d` in query and source (1 for neighbours),
    :math:`\delta` for `decay`, and :math:`\rho` 1 if the two have the same order on both sides,
    else `reordered`. Words that count by `complura` alone are taken as one word beyond the window
    and reordered.

    Parameters
    ----------
    terms
        ``lemma`` or ``surface``; both with u for v and i for j, and without enclitics.
    n
        How many words must be shared.
    window
        How far a shared word may stand from another, function words not counted: 1 for neighbours,
        3 for two words between them (the benchmark's definition of a verbatim reference).
    clause_ends
        The punctuation that ends a clause; empty, and nothing cuts words apart.
    pos
        Parts of speech (UPOS) of which a shared pair must have `pos_words` on each side, by the
        commonest reading of each form.
    pos_words
        0 (any will do), 1, or 2.
    max_collocations
        Two words that stand together in more sentences of Latin are a formula; None for no limit.
    max_in_source
        Two words that stand together in more clauses of the source are a formula; None for no
        limit.
    vectors
        A function from a word (as in `terms`) to its vector, or None if it has none.
    max_similarity
        With `vectors`: two words whose vectors have a higher cosine are a formula.
    complura
        So many shared words make a candidate wherever they stand; None for no such rule.
    decay
        How much distance holds a word back; 0 for not at all.
    reordered
        What a pair in the other order is worth, from 0 to 1.
    min_score
        Candidates with a lower score are left out.
    stopwords
        Lemmas that are left out.
    lemmatizer
        Whose lemmas: a name or a function, see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "obstipui, et vox faucibus haesit"), Segment("cic.", "vox; fauces")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> candidates = NgramRules().index(source).search(query, k=10)
    >>> [source.ids[position] for position in candidates.source]
    ['verg.']
    """

    terms: TermKind = "lemma"
    n: int = 2
    window: int = 3
    clause_ends: str = ".!?;:"
    pos: tuple[str, ...] = ("NOUN", "PROPN", "VERB", "ADJ", "X")
    pos_words: int = 1
    max_collocations: int | None = None
    max_in_source: int | None = None
    vectors: Callable[[str], NDArray[np.floating] | None] | None = None
    max_similarity: float = 0.3
    complura: int | None = 4
    decay: float = 0.5
    reordered: float = 0.75
    min_score: float = 0.0
    stopwords: frozenset[str] = STOPWORDS
    lemmatizer: str | LemmatizeFunction = "fast"

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        _check_whole("n", self.n, _FEWEST_WORDS, _WIDEST)
        _check_whole("window", self.window, 1, _WIDEST)
        _check_whole("pos_words", self.pos_words, 0, 2)
        for name, least in (("max_collocations", 0), ("max_in_source", 0), ("complura", 1)):
            value = getattr(self, name)
            if value is not None:
                _check_whole(name, value, least, None)
        for name, most in (("max_similarity", 1), ("decay", math.inf), ("reordered", 1)):
            _check_between(name, getattr(self, name), -1 if name == "max_similarity" else 0, most)
        _check_between("min_score", self.min_score, 0, math.inf)
        unknown = [part for part in self.pos if part not in _PARTS_OF_SPEECH]
        if unknown or isinstance(self.pos, str):
            raise ParameterError(
                f"pos={self.pos!r} is no list of parts of speech",
                hint=f"choose from {', '.join(sorted(_PARTS_OF_SPEECH))}",
            )
        if any(sign.isalnum() or sign.isspace() for sign in self.clause_ends):
            raise ParameterError(
                f"clause_ends={self.clause_ends!r} has letters or spaces in it",
                hint="write the signs one after the other, such as '.!?;:'",
            )

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        chosen: dict[str, object] = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in ("vectors", "max_similarity", "stopwords", "lemmatizer", "pos")
        }
        chosen["pos"] = list(self.pos)
        if self.stopwords != STOPWORDS:
            chosen["stopwords"] = sorted(self.stopwords)
        if self.vectors is not None:
            name = getattr(self.vectors, "__qualname__", type(self.vectors).__qualname__)
            chosen |= {"vectors": name, "max_similarity": self.max_similarity}
        lemmas = describe_lemmatizer(self.lemmatizer) if self.terms == "lemma" else {}
        return {"name": "ngrams", **chosen, **lemmas}

    def index(self, source: Document, *, progress: Progress = silent) -> NgramIndex:
        """Prepare source segments for searching."""
        # A reader remembers every form it has judged; only named lemmatizers stay what they are.
        make = _reader if isinstance(self.lemmatizer, str) else WordReader
        reader = make(self.terms, self.lemmatizer, self.stopwords, self.clause_ends, self.pos)
        return NgramIndex.build(source, self, reader, progress)


@lru_cache(maxsize=2)
def _reader(
    terms: TermKind,
    lemmatizer: str,
    stopwords: frozenset[str],
    clause_ends: str,
    pos: tuple[str, ...],
) -> WordReader:
    return WordReader(terms, lemmatizer, stopwords, clause_ends, pos)


def _check_whole(name: str, value: int, least: int, most: int | None) -> None:
    if not isinstance(value, int) or value < least or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name}={value} makes no sense", hint=f"a whole number {bounds}")


def _check_between(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most or math.isinf(value):
        bounds = f"of at least {least}" if math.isinf(most) else f"from {least} to {most}"
        raise ParameterError(f"{name}={value} makes no sense", hint=f"a number {bounds}")
