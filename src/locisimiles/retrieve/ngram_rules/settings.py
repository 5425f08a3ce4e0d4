"""The parameters of rules about shared words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from locisimiles.checks import check_at_least, check_between, check_choice, check_whole
from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS
from locisimiles.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.latin.lemmatizers import LemmatizeFunction

__all__ = ["RuleSettings"]

RuleTerms = Literal["lemma", "surface"]

_FEWEST_WORDS = 2
_WIDEST = 1000
_PARTS_OF_SPEECH = frozenset(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
)


@dataclass(frozen=True, slots=True)
class RuleSettings(Parameters):
    """The parameters of `NgramRules`, which explains them; wrong ones raise a ParameterError."""

    terms: RuleTerms = "lemma"
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
        check_choice(get_args(RuleTerms), terms=self.terms)
        check_whole(n=self.n, window=self.window, pos_words=self.pos_words, complura=self.complura)
        check_whole(max_collocations=self.max_collocations, max_in_source=self.max_in_source)
        check_between(_FEWEST_WORDS, _WIDEST, n=self.n)
        check_between(1, _WIDEST, window=self.window)
        check_between(0, 2, pos_words=self.pos_words)
        check_at_least(0, max_collocations=self.max_collocations, max_in_source=self.max_in_source)
        check_at_least(1, complura=self.complura)
        check_between(-1, 1, max_similarity=self.max_similarity)
        check_between(0, 1, reordered=self.reordered)
        check_at_least(0, decay=self.decay, min_score=self.min_score)
        if isinstance(self.pos, str) or not set(self.pos) <= _PARTS_OF_SPEECH:
            raise ParameterError(
                "retrieve.parts_of_speech",
                value=str(self.pos),
                choices=", ".join(sorted(_PARTS_OF_SPEECH)),
            )
        if any(sign.isalnum() or sign.isspace() for sign in self.clause_ends):
            raise ParameterError("retrieve.clause_ends", value=self.clause_ends)
