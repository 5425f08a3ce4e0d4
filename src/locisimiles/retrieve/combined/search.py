"""The default search: four retrievers, combined in two stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.candidates import Candidates, best
from locisimiles.checks import check_at_least
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.late import Late
from locisimiles.models.identity import model_sha256
from locisimiles.models.vectors import shipped_vectors
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.combined.parts import CombinedParts, StageCandidates
from locisimiles.retrieve.combined.priors import verse_column
from locisimiles.retrieve.combined.weights import CombinedWeights
from locisimiles.retrieve.lexical import BM25
from locisimiles.retrieve.ngram_rules import NgramRules
from locisimiles.retrieve.vectors import WordVectorSearch
from locisimiles.retrieve.verses import VerseClues, VerseWeights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.models.vectors import WordVectors
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined.parts import CandidateSource
    from locisimiles.retrieve.combined.priors import AuthorPriors

__all__ = ["Combined", "CombinedIndex"]

_QUERY_BLOCK = 512


@dataclass(frozen=True, slots=True)
class Combined(Parameters):
    """Rank by several retrievers and author priors, combined by learnt weights.

    In the first stage four retrievers (BM25 over lemmas, rules about shared words, pairs of words
    of similar meaning, late interaction) propose candidates, whose standardised scores are weighted
    and summed. The best `depth` enter the second stage, where a small network also weighs the views
    of late interaction (`locisimiles.late.scoring.VIEWS`). Weights and author priors were learnt
    from known references.

    Parameters
    ----------
    priors
        Whether to prefer authors and works that the author of the query is known to cite, and verse
        for verse. Authors without known references are ranked without priors.
    depth
        The number of candidates of each retriever, and of the second stage.
    lemmatizer, vectors, model
        What the retrievers use; see `BM25`, `WordVectorSearch` and `Late`.
    weights
        ``shipped`` are those learnt on the whole benchmark; else a file that ``locisimiles train
        default`` wrote. Weights fit the encoder they were learnt with, and no other.
    late
        The retriever of late interaction; by default `Late` with that model.
    verses
        Whether verses of a Bible gain by how often the Fathers cite them, and where the text names
        their book (`locisimiles.retrieve.verses`). Other sources are not affected.
    verse_weights
        ``shipped``, or a file that ``locisimiles train verses`` wrote.
    """

    priors: bool = True
    depth: int = 1000
    lemmatizer: str | LemmatizeFunction = "fast"
    model: str | PathLike[str] | PiecewiseEncoder = "latin"
    vectors: WordVectors = field(default_factory=shipped_vectors, repr=False)
    weights: str | CombinedWeights = "shipped"
    late: Late | None = field(default=None, repr=False)
    verses: bool = True
    verse_weights: str | VerseWeights = field(default="shipped", repr=False)

    def __post_init__(self) -> None:
        check_at_least(1, depth=self.depth)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "default",
            "priors": self.priors,
            "depth": self.depth,
            "weights_sha256": self.loaded_weights().fingerprint(),
            "verses": self.loaded_verse_weights().fingerprint() if self.verses else None,
            "retrievers": self.channel_parameters(),
        }

    def channel_parameters(self) -> list[dict[str, object]]:
        """Return the parameters of the four retrievers."""
        retrievers = (*self._lexical(), self.late_search())
        return [dict(retriever.parameters()) for retriever in retrievers]

    def index(self, source: Document, *, progress: Progress = silent) -> CombinedIndex:
        """Prepare source segments for searching.

        Raises
        ------
        ParameterError
            If the weights were learnt with another encoder.
        """
        weights = self.loaded_weights()
        encoder = model_sha256(self.late_search().encoder())
        if weights.encoder_sha256 and weights.encoder_sha256 != encoder:
            raise ParameterError(
                "retrieve.other_encoder", learnt=weights.encoder_sha256[:12], used=encoder[:12]
            )
        texts = PreparedDocument.of(source)
        clues = VerseClues.of(texts, self.loaded_verse_weights()) if self.verses else None
        return CombinedIndex(self, self.parts(texts, progress=progress), weights, clues)

    def parts(self, source: Document, *, progress: Progress = silent) -> CombinedParts:
        """Return the indexes of the four retrievers; prepared texts keep them."""
        texts = PreparedDocument.of(source)
        key = "combined", repr(self.channel_parameters())
        return texts.derive(key, lambda: self._build(texts, progress))

    def _build(self, texts: PreparedDocument, progress: Progress) -> CombinedParts:
        lexical = [retriever.index(texts, progress=progress) for retriever in self._lexical()]
        return CombinedParts(texts, lexical, self.late_search().index(texts, progress=progress))

    def loaded_weights(self) -> CombinedWeights:
        """Return the weights, reading them from their file if necessary."""
        if isinstance(self.weights, CombinedWeights):
            return self.weights
        if self.weights == "shipped":
            return CombinedWeights.shipped()
        return CombinedWeights.load(Path(self.weights))

    def loaded_verse_weights(self) -> VerseWeights:
        """Return the weights of verses, reading them from their file if necessary."""
        if isinstance(self.verse_weights, VerseWeights):
            return self.verse_weights
        if self.verse_weights == "shipped":
            return VerseWeights.shipped()
        return VerseWeights.load(Path(self.verse_weights))

    def late_search(self) -> Late:
        """Return the retriever of late interaction."""
        return self.late or Late(self.model)

    def _lexical(self) -> tuple[BM25, NgramRules, WordVectorSearch]:
        return (
            BM25(lemmatizer=self.lemmatizer),
            NgramRules(lemmatizer=self.lemmatizer),
            WordVectorSearch(self.vectors, lemmatizer=self.lemmatizer),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CombinedIndex:
    """Source segments, prepared for both stages; returned by `Combined.index`."""

    combined: Combined
    parts: CandidateSource
    weights: CombinedWeights
    clues: VerseClues | None = None

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        depth = max(self.combined.depth, k)
        ties, priors = self.parts.ties, self.weights.priors
        ranked = []
        queries = PreparedDocument.of(queries)
        verse_column(queries)  # a work is verse or prose as a whole, not block by block
        for block in queries.blocks(_QUERY_BLOCK):
            stages = [
                self.weights.stages(priors=self.combined.priors and priors.knows(author or ""))
                for author in block.authors
            ]
            passed = []
            own_priors = [priors] * len(block)
            found = first_stage(self.parts, block, own_priors, depth, progress=progress)
            for candidates, own in zip(found, stages, strict=True):
                scores = _above_zero(candidates.scores(own.first))
                rows, _ = best(scores, depth, ties[candidates.segments])
                passed.append(candidates.rows(rows))
            second = second_stage(self.parts, block, passed, progress=progress)
            for candidates, own, text in zip(second, stages, block.texts, strict=True):
                scores = own.second.scores(candidates.features)
                if self.clues is not None:
                    scores = scores + self.clues.gains(text, candidates.segments)
                scores = _above_zero(scores)
                rows, values = best(scores, k, ties[candidates.segments])
                ranked.append((candidates.segments[rows], values))
        return Candidates.join(ranked)


def first_stage(
    parts: CandidateSource,
    queries: PreparedDocument,
    priors: Sequence[AuthorPriors],
    depth: int,
    *,
    progress: Progress = silent,
) -> list[StageCandidates]:
    """Return the candidates of each query, with the columns of channels and of its priors.

    Each channel has at most `depth` candidates.
    """
    found = parts.candidates(queries, depth, progress=progress)
    in_verse = verse_column(queries).tolist()
    return [
        candidates.beside(
            own.columns(author or "", parts.works, candidates.segments, in_verse=verse)
        )
        for candidates, own, author, verse in zip(
            found, priors, queries.authors, in_verse, strict=True
        )
    ]


def second_stage(
    parts: CandidateSource,
    queries: PreparedDocument,
    candidates: Sequence[StageCandidates],
    *,
    progress: Progress = silent,
) -> list[StageCandidates]:
    """Return the candidates with the columns of the second stage and of priors."""
    views = parts.views(queries, [own.segments for own in candidates], progress=progress)
    return [
        own.with_views(seen, parts.lengths[own.segments])
        for own, seen in zip(candidates, views, strict=True)
    ]


def _above_zero(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shift scores so that the lowest is 1: only positive scores are candidates."""
    return scores - scores.min() + 1 if len(scores) else scores
