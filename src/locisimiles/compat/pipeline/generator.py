"""The candidate generators of the paper's package, on our retrievers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.compat.models import CONTEXTUAL, EMBEDDINGS, local_model
from locisimiles.compat.pipeline.okapi import Okapi
from locisimiles.compat.results import Candidate, Candidates
from locisimiles.compat.texts import Texts
from locisimiles.errors import InputError
from locisimiles.late import Late
from locisimiles.latin import STOPWORDS
from locisimiles.models.vector_files import read_vectors
from locisimiles.models.vectors import shipped_vectors
from locisimiles.retrieve import NgramRules, TfIdf
from locisimiles.retrieve.vectors import Contextual, Dense, WordVectorSearch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.compat.document import Document
    from locisimiles.compat.results import CandidateGeneratorOutput
    from locisimiles.index import PreparedDocument
    from locisimiles.retrieve import Index, Retriever

__all__ = [
    "DEFAULT_CONTEXTUAL_BERT_MODEL_NAME",
    "DEFAULT_WORD2VEC_MODEL_PATH",
    "BM25CandidateGenerator",
    "CandidateGeneratorBase",
    "EmbeddingCandidateGenerator",
    "ExhaustiveCandidateGenerator",
    "LatinBertContextualCandidateGenerator",
    "RuleBasedCandidateGenerator",
    "TfidfCandidateGenerator",
    "Word2VecCandidateGenerator",
]

DEFAULT_CONTEXTUAL_BERT_MODEL_NAME = CONTEXTUAL
DEFAULT_WORD2VEC_MODEL_PATH = Path("models") / "latin_w2v_bamman_lemma300_100_1.model"
_FEWEST_SHARED = 2


class CandidateGeneratorBase(ABC):
    """Finds source segments for each query segment."""

    @abstractmethod
    def generate(
        self, *, query: Document, source: Document, **kwargs: Any
    ) -> CandidateGeneratorOutput:
        """Return the candidates of each query segment, by its id."""


class _Search(CandidateGeneratorBase):
    """A generator that is a retriever of ours; sources are indexed once."""

    device: str = "cpu"

    def __init__(self) -> None:
        self._queries, self._sources = Texts(), Texts()
        self._indexed: tuple[PreparedDocument, Retriever, Index] | None = None

    @abstractmethod
    def _retriever(self) -> Retriever:
        """Return the retriever."""

    def generate(
        self,
        *,
        query: Document,
        source: Document,
        top_k: int | None = 100,
        **kwargs: Any,  # noqa: ARG002 - of other stages
    ) -> Candidates:
        """Return the best `top_k` source segments for each query segment.

        A segment that shares nothing with the query is no candidate, so there may be fewer.
        """
        segments, queries = self._queries.of(query)
        pool, sources = self._sources.of(source)
        results = Candidates({segment.id: [] for segment in segments})
        results.source = source
        if not segments or not pool:
            return results
        k = max(1, len(pool) if top_k is None else int(top_k))
        found = self._index(sources).search(queries, k)
        scores = found.score / self._unit(len(pool))
        columns = (found.query.tolist(), found.source.tolist(), scores.tolist())
        for at, where, score in zip(*columns, strict=True):
            results[segments[at].id].append(Candidate(pool[where], score))
        return results

    def _unit(self, sources: int) -> float:  # noqa: ARG002 - where it depends on them
        """Return what scores are divided by."""
        return 1.0

    def _index(self, sources: PreparedDocument) -> Index:
        retriever = self._retriever()
        known = self._indexed
        if known is None or known[0] is not sources or known[1] != retriever:
            known = self._indexed = sources, retriever, retriever.index(sources)
        return known[2]


class EmbeddingCandidateGenerator(_Search):
    """Search by meaning: late interaction with the encoder that comes with this program.

    Scores are between 0 and 1, but no cosines: of a sentence with itself, the score is between .5
    and 1, as its words are common or rare in the sources.

    Parameters
    ----------
    embedding_model_name
        A folder with a sentence encoder, to be searched by its cosines. Other names are not
        downloaded: our encoder takes their place.
    device
        For a model of your own.
    """

    def __init__(
        self, *, embedding_model_name: str = EMBEDDINGS, device: str | int | None = None
    ) -> None:
        super().__init__()
        self.device = "cpu" if device is None else str(device)
        folder = local_model(embedding_model_name)
        self._made: Retriever = Late() if folder is None else Dense(folder, device=self.device)

    def _retriever(self) -> Retriever:
        return self._made

    def _unit(self, sources: int) -> float:
        if not isinstance(self._made, Late):
            return 1.0
        # What a piece weighs that occurs in one source; see `Late`.
        return math.log((sources + 1) / 2) or 1.0


class LatinBertContextualCandidateGenerator(_Search):
    """Search by words in context, with the encoder that comes with this program or a folder."""

    def __init__(
        self,
        *,
        model_name: str = DEFAULT_CONTEXTUAL_BERT_MODEL_NAME,
        model_path: str | Path | None = None,
        device: str | int | None = None,
        max_length: int = 256,
        min_token_length: int = 2,
        use_stopword_filter: bool = True,
        subword_encoder_path: str | Path | None = None,
        check_tokenizer: bool = True,
    ) -> None:
        super().__init__()
        del min_token_length, subword_encoder_path, check_tokenizer  # our words need none of them
        self.device = "cpu" if device is None else str(device)
        folder = local_model(model_name if model_path is None else model_path)
        common = not use_stopword_filter
        self._made: Retriever = (
            Contextual("latin", dimensions=128, stopwords=common)
            if folder is None
            else Contextual(folder, max_length=max_length, device=self.device, stopwords=common)
        )

    def _retriever(self) -> Retriever:
        return self._made


class BM25CandidateGenerator(_Search):
    """Search by shared lemmas (or words as they stand), weighted by their rarity."""

    def __init__(
        self,
        *,
        lemmatize: bool = True,
        lowercase: bool = True,
        k1: float = 1.5,
        b: float = 0.75,
    ) -> None:
        super().__init__()
        self.lemmatize, self.lowercase, self.k1, self.b = lemmatize, lowercase, k1, b

    def _retriever(self) -> Retriever:
        return Okapi(terms=_terms(lemmatize=self.lemmatize), k1=self.k1, b=self.b)


class TfidfCandidateGenerator(_Search):
    """Search by the cosine of weighted lemmas (or words as they stand)."""

    def __init__(
        self,
        *,
        lemmatize: bool = True,
        lowercase: bool = True,
        ngram_range: tuple[int, int] = (1, 1),
        max_features: int = 50_000,
        min_df: int = 1,
        max_df: float = 1.0,
        sublinear_tf: bool = True,
    ) -> None:
        super().__init__()
        self.lemmatize, self.lowercase = lemmatize, lowercase
        self.ngram_range, self.max_features = ngram_range, max_features
        self.min_df, self.max_df, self.sublinear_tf = min_df, max_df, sublinear_tf

    def _retriever(self) -> Retriever:
        return TfIdf(
            terms=_terms(lemmatize=self.lemmatize),
            ngrams=self.ngram_range,
            max_features=self.max_features,
            sublinear_tf=self.sublinear_tf,
        )


class Word2VecCandidateGenerator(_Search):
    """Search by pairs of words of similar meaning, in any order.

    Parameters
    ----------
    model_path
        A file of vectors; see `locisimiles.models.vector_files`. The file that the paper's package
        expects by default does not come with it: the vectors that come with ours take its place.
    interval
        Maximum number of words between the two of a pair.
    """

    def __init__(
        self,
        *,
        model_path: str | Path = DEFAULT_WORD2VEC_MODEL_PATH,
        interval: int = 0,
        order_free: bool = False,
        lemmatize: bool = True,
        warn_on_low_coverage: bool = True,
    ) -> None:
        super().__init__()
        del warn_on_low_coverage
        self.model_path, self.interval = Path(model_path), interval
        self.order_free, self.lemmatize = order_free, lemmatize
        given = self.model_path != DEFAULT_WORD2VEC_MODEL_PATH or self.model_path.exists()
        self._vectors = read_vectors(self.model_path) if given else shipped_vectors()

    def _retriever(self) -> Retriever:
        return WordVectorSearch(
            self._vectors,
            interval=self.interval,
            terms=_terms(lemmatize=self.lemmatize),
            weighting="rarity" if self.lemmatize else "equal",
        )


class RuleBasedCandidateGenerator(_Search):
    """Search by rules: words in common, close together in one clause.

    Scores are not limited to 1: they grow with the rarity of the words. Two shared words must be
    content words and no formula; `use_htrg`, `use_similarity` and their models change nothing.
    """

    def __init__(
        self,
        *,
        min_shared_words: int = 2,
        min_complura: int = 4,
        max_distance: int = 3,
        similarity_threshold: float = 0.3,
        stopwords: Iterable[str] | None = None,
        use_htrg: bool = False,
        use_similarity: bool = False,
        pos_model: str = "enelpol/evalatin2022-pos-open",
        spacy_model: str = "la_core_web_lg",
        device: str | None = None,
    ) -> None:
        super().__init__()
        self.min_shared_words, self.min_complura = min_shared_words, min_complura
        self.max_distance, self.similarity_threshold = max_distance, similarity_threshold
        self.use_htrg, self.use_similarity = use_htrg, use_similarity
        self.pos_model, self.spacy_model = pos_model, spacy_model
        self.device = device or "cpu"
        self.stopwords = set(STOPWORDS if stopwords is None else stopwords)

    def load_stopwords(self, filepath: str | Path) -> None:
        """Read stop words from a file, one a line."""
        try:
            lines = Path(filepath).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError("compat.unreadable", file=str(filepath), reason=str(error)) from error
        self.stopwords = {line.strip().lower() for line in lines if line.strip()}

    def generate(
        self,
        *,
        query: Document,
        source: Document,
        top_k: int | None = None,
        **kwargs: Any,
    ) -> Candidates:
        """Return the candidates of each query segment; all of them, if `top_k` is None."""
        return super().generate(query=query, source=source, top_k=top_k, **kwargs)

    def _retriever(self) -> Retriever:
        return NgramRules(
            n=max(self.min_shared_words, _FEWEST_SHARED),
            window=max(self.max_distance, 1),
            complura=self.min_complura,
            stopwords=frozenset(self.stopwords),
        )


class ExhaustiveCandidateGenerator(CandidateGeneratorBase):
    """Pairs every query segment with every source segment; each pair scores 1."""

    def generate(
        self,
        *,
        query: Document,
        source: Document,
        **kwargs: Any,  # noqa: ARG002 - of other stages
    ) -> Candidates:
        """Return all source segments for each query segment."""
        pool = list(source)
        results = Candidates({one.id: [Candidate(each, 1.0) for each in pool] for one in query})
        results.source = source
        return results


def _terms(*, lemmatize: bool) -> Any:
    return "lemma" if lemmatize else "surface"
