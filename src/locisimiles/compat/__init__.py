"""The names of the paper's package, ``locisimiles`` 2.x of the Package Index, on our engine.

``from locisimiles.compat import *`` takes the place of the imports of a script; or put `compat`
into them: ``from locisimiles.compat.pipeline import TwoStagePipeline``. Models of the Hub are not
downloaded: those that come with this program take their place, with one warning.

>>> from locisimiles.compat import TwoStagePipeline, load_example_query, load_example_source
>>> import warnings
>>> with warnings.catch_warnings():
...     warnings.simplefilter("ignore")  # the models are ours
...     pipeline = TwoStagePipeline(device="cpu")
>>> query, source = load_example_query(), load_example_source()
>>> results = pipeline.run(query=query, source=source, top_k=3)
>>> best = max(results["hier. epist. 130.5.5.3"], key=lambda one: one.judgment_score)
>>> best.segment.id, best.judgment_score > 0.5
('verg. aen. 2.774.1', True)
"""

from locisimiles.compat.datasets import (
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.compat.document import Document, TextSegment
from locisimiles.compat.evaluator import IntertextEvaluator
from locisimiles.compat.ground_truth import GroundTruth, GroundTruthEntry
from locisimiles.compat.pipeline import (
    DEFAULT_CONTEXTUAL_BERT_MODEL_NAME,
    DEFAULT_WORD2VEC_MODEL_PATH,
    BM25CandidateGenerator,
    BM25LexicalTwoStagePipeline,
    BM25RetrievalPipeline,
    BM25TwoStagePipeline,
    Candidate,
    CandidateGeneratorBase,
    CandidateGeneratorOutput,
    CandidateJudge,
    CandidateJudgeBase,
    CandidateJudgeOutput,
    ClassificationJudge,
    ClassificationPipeline,
    ClassificationPipelineWithCandidateGeneration,
    ClassificationPipelineWithCandidategeneration,
    EmbeddingCandidateGenerator,
    ExhaustiveCandidateGenerator,
    ExhaustiveClassificationPipeline,
    IdentityJudge,
    JudgeBase,
    LatinBertContextualCandidateGenerator,
    LatinBertRetrievalPipeline,
    LatinBertTwoStagePipeline,
    LexicalClassifierJudge,
    Pipeline,
    RetrievalPipeline,
    RuleBasedCandidateGenerator,
    RuleBasedPipeline,
    TfidfCandidateGenerator,
    TfidfRetrievalPipeline,
    ThresholdJudge,
    TwoStagePipeline,
    Word2VecCandidateGenerator,
    Word2VecRetrievalPipeline,
    pretty_print,
    results_to_csv,
    results_to_json,
)

__all__ = [
    "DEFAULT_CONTEXTUAL_BERT_MODEL_NAME",
    "DEFAULT_WORD2VEC_MODEL_PATH",
    "BM25CandidateGenerator",
    "BM25LexicalTwoStagePipeline",
    "BM25RetrievalPipeline",
    "BM25TwoStagePipeline",
    "Candidate",
    "CandidateGeneratorBase",
    "CandidateGeneratorOutput",
    "CandidateJudge",
    "CandidateJudgeBase",
    "CandidateJudgeOutput",
    "ClassificationJudge",
    "ClassificationPipeline",
    "ClassificationPipelineWithCandidateGeneration",
    "ClassificationPipelineWithCandidategeneration",
    "Document",
    "EmbeddingCandidateGenerator",
    "ExhaustiveCandidateGenerator",
    "ExhaustiveClassificationPipeline",
    "GroundTruth",
    "GroundTruthEntry",
    "IdentityJudge",
    "IntertextEvaluator",
    "JudgeBase",
    "LatinBertContextualCandidateGenerator",
    "LatinBertRetrievalPipeline",
    "LatinBertTwoStagePipeline",
    "LexicalClassifierJudge",
    "Pipeline",
    "RetrievalPipeline",
    "RuleBasedCandidateGenerator",
    "RuleBasedPipeline",
    "TextSegment",
    "TfidfCandidateGenerator",
    "TfidfRetrievalPipeline",
    "ThresholdJudge",
    "TwoStagePipeline",
    "Word2VecCandidateGenerator",
    "Word2VecRetrievalPipeline",
    "load_example_ground_truth",
    "load_example_query",
    "load_example_source",
    "pretty_print",
    "results_to_csv",
    "results_to_json",
]
