"""The pipelines that the paper's package puts together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.compat.models import CLASSIFIER, EMBEDDINGS
from locisimiles.compat.pipeline.generator import (
    DEFAULT_CONTEXTUAL_BERT_MODEL_NAME,
    DEFAULT_WORD2VEC_MODEL_PATH,
    BM25CandidateGenerator,
    EmbeddingCandidateGenerator,
    ExhaustiveCandidateGenerator,
    LatinBertContextualCandidateGenerator,
    RuleBasedCandidateGenerator,
    TfidfCandidateGenerator,
    Word2VecCandidateGenerator,
)
from locisimiles.compat.pipeline.judge import (
    ClassificationJudge,
    IdentityJudge,
    LexicalClassifierJudge,
    ThresholdJudge,
)
from locisimiles.compat.pipeline.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "BM25LexicalTwoStagePipeline",
    "BM25RetrievalPipeline",
    "BM25TwoStagePipeline",
    "ClassificationPipeline",
    "ClassificationPipelineWithCandidateGeneration",
    "ClassificationPipelineWithCandidategeneration",
    "ExhaustiveClassificationPipeline",
    "LatinBertRetrievalPipeline",
    "LatinBertTwoStagePipeline",
    "RetrievalPipeline",
    "RuleBasedPipeline",
    "TfidfRetrievalPipeline",
    "TwoStagePipeline",
    "Word2VecRetrievalPipeline",
]


class TwoStagePipeline(Pipeline):
    """Search by meaning, then judge; `names` are those of `ClassificationJudge`."""

    def __init__(
        self,
        *,
        classification_name: str = CLASSIFIER,
        embedding_model_name: str = EMBEDDINGS,
        device: str | int | None = None,
        **names: Any,
    ) -> None:
        super().__init__(
            EmbeddingCandidateGenerator(embedding_model_name=embedding_model_name, device=device),
            ClassificationJudge(classification_name=classification_name, device=device, **names),
        )


ClassificationPipelineWithCandidateGeneration = TwoStagePipeline
ClassificationPipelineWithCandidategeneration = TwoStagePipeline


class ExhaustiveClassificationPipeline(Pipeline):
    """Judge every pair; for small documents."""

    def __init__(
        self,
        *,
        classification_name: str = CLASSIFIER,
        device: str | int | None = None,
        **names: Any,
    ) -> None:
        super().__init__(
            ExhaustiveCandidateGenerator(),
            ClassificationJudge(classification_name=classification_name, device=device, **names),
        )


ClassificationPipeline = ExhaustiveClassificationPipeline


class RetrievalPipeline(Pipeline):
    """Search by meaning; the first `top_k`, or those above a score, are references."""

    def __init__(
        self,
        *,
        embedding_model_name: str = EMBEDDINGS,
        device: str | int | None = None,
        top_k: int = 10,
        similarity_threshold: float | None = None,
    ) -> None:
        super().__init__(
            EmbeddingCandidateGenerator(embedding_model_name=embedding_model_name, device=device),
            ThresholdJudge(top_k=top_k, similarity_threshold=similarity_threshold),
        )


class Word2VecRetrievalPipeline(Pipeline):
    """Search by words of similar meaning, then a threshold."""

    def __init__(
        self,
        *,
        model_path: str | Path = DEFAULT_WORD2VEC_MODEL_PATH,
        top_k: int = 10,
        similarity_threshold: float | None = None,
        interval: int = 0,
        order_free: bool = False,
    ) -> None:
        super().__init__(
            Word2VecCandidateGenerator(
                model_path=model_path, interval=interval, order_free=order_free
            ),
            ThresholdJudge(top_k=top_k, similarity_threshold=similarity_threshold),
        )


class LatinBertRetrievalPipeline(Pipeline):
    """Search by words in context, then a threshold; `words` are those of the generator."""

    def __init__(
        self,
        *,
        model_name: str = DEFAULT_CONTEXTUAL_BERT_MODEL_NAME,
        top_k: int = 10,
        similarity_threshold: float | None = None,
        **words: Any,
    ) -> None:
        super().__init__(
            LatinBertContextualCandidateGenerator(model_name=model_name, **words),
            ThresholdJudge(top_k=top_k, similarity_threshold=similarity_threshold),
        )


class LatinBertTwoStagePipeline(Pipeline):
    """Search by words in context, then judge."""

    def __init__(
        self,
        *,
        classification_name: str = CLASSIFIER,
        model_name: str = DEFAULT_CONTEXTUAL_BERT_MODEL_NAME,
        model_path: str | Path | None = None,
        device: str | int | None = None,
        max_length: int = 256,
        min_token_length: int = 2,
        use_stopword_filter: bool = True,
        **names: Any,
    ) -> None:
        super().__init__(
            LatinBertContextualCandidateGenerator(
                model_name=model_name,
                model_path=model_path,
                device=device,
                max_length=max_length,
                min_token_length=min_token_length,
                use_stopword_filter=use_stopword_filter,
            ),
            ClassificationJudge(classification_name=classification_name, device=device, **names),
        )


class TfidfRetrievalPipeline(Pipeline):
    """Search by TF-IDF, then a threshold; `terms` are those of the generator."""

    def __init__(
        self, *, top_k: int = 10, similarity_threshold: float | None = None, **terms: Any
    ) -> None:
        super().__init__(
            TfidfCandidateGenerator(**terms),
            ThresholdJudge(top_k=top_k, similarity_threshold=similarity_threshold),
        )


class BM25RetrievalPipeline(Pipeline):
    """Search by BM25, then a threshold; `terms` are those of the generator."""

    def __init__(
        self, *, top_k: int = 10, similarity_threshold: float | None = None, **terms: Any
    ) -> None:
        super().__init__(
            BM25CandidateGenerator(**terms),
            ThresholdJudge(top_k=top_k, similarity_threshold=similarity_threshold),
        )


class BM25TwoStagePipeline(Pipeline):
    """Search by BM25, then judge."""

    def __init__(
        self,
        *,
        classification_name: str = CLASSIFIER,
        device: str | int | None = None,
        lemmatize: bool = True,
        lowercase: bool = True,
        k1: float = 1.5,
        b: float = 0.75,
        **names: Any,
    ) -> None:
        super().__init__(
            BM25CandidateGenerator(lemmatize=lemmatize, lowercase=lowercase, k1=k1, b=b),
            ClassificationJudge(classification_name=classification_name, device=device, **names),
        )


class BM25LexicalTwoStagePipeline(Pipeline):
    """Search by BM25, then judge with weights of yours."""

    def __init__(
        self,
        *,
        artifact_path: str | Path,
        lemmatize: bool = True,
        lowercase: bool = True,
        k1: float = 1.5,
        b: float = 0.75,
        **names: Any,
    ) -> None:
        super().__init__(
            BM25CandidateGenerator(lemmatize=lemmatize, lowercase=lowercase, k1=k1, b=b),
            LexicalClassifierJudge(artifact_path=artifact_path, **names),
        )


class RuleBasedPipeline(Pipeline):
    """Search by rules; every candidate is a reference. `rules` are those of the generator."""

    generator: RuleBasedCandidateGenerator

    def __init__(self, *, stopwords: Iterable[str] | None = None, **rules: Any) -> None:
        super().__init__(RuleBasedCandidateGenerator(stopwords=stopwords, **rules), IdentityJudge())

    def load_stopwords(self, filepath: str | Path) -> None:
        """Read stop words from a file, one a line."""
        self.generator.load_stopwords(filepath)

    def __getattr__(self, name: str) -> Any:
        if name == "generator":
            raise AttributeError(name)
        return getattr(self.generator, name)
