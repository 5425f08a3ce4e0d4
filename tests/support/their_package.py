"""Runs in the Python that has the paper's package: searches and measures, and prints JSON.

What only neural models need (torch, transformers, chromadb) may be missing there: empty modules
take their place, so that the package can be imported. CLTK needs data from the internet: words are
found by a regular expression instead, and not lemmatised.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import re
import sys
import types

HEAVY = set(
    "torch transformers sentence_transformers chromadb tqdm spacy stanza gensim cltk".split()
)


class Anything:
    def __getattr__(self, name):
        return Anything()

    def __call__(self, *arguments, **_named):
        return arguments[0] if len(arguments) == 1 else Anything()

    def __mro_entries__(self, bases):
        return (object,)

    def __or__(self, other):
        return Anything()

    __ror__ = __or__


def anything(attribute):
    if attribute.startswith("__"):
        raise AttributeError(attribute)
    # SciPy asks whether arrays are instances of torch.Tensor.
    return type(attribute, (Anything,), {}) if attribute[0].isupper() else Anything()


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds an empty module for each library that is missing, and for all its parts."""

    def __init__(self, missing):
        self.missing = missing

    def find_spec(self, name, *_rest):
        if name.partition(".")[0] in self.missing:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = anything
        return module

    def exec_module(self, module):
        pass


class Words:
    """Takes the place of CLTK's tokenizer, which needs data of its own from the internet."""

    def tokenize(self, text):
        return re.findall(r"\w+", text)


tokenizer = types.ModuleType("cltk.tokenizers.lat.lat")
tokenizer.LatinWordTokenizer = Words
sys.modules[tokenizer.__name__] = tokenizer
sys.meta_path.append(
    StandIns({name for name in HEAVY if name == "cltk" or importlib.util.find_spec(name) is None})
)

from locisimiles import (  # noqa: E402
    BM25RetrievalPipeline,
    Document,
    GroundTruth,
    IntertextEvaluator,
    TfidfRetrievalPipeline,
    __version__,
)
from locisimiles.pipeline import IdentityJudge, Pipeline, RuleBasedPipeline  # noqa: E402

PIPELINES = {
    "bm25": lambda: BM25RetrievalPipeline(lemmatize=False),
    "tfidf": lambda: TfidfRetrievalPipeline(lemmatize=False),
    "rules": RuleBasedPipeline,
}


def measured(evaluator):
    best, thresholds = evaluator.find_best_threshold(metric="f1", thresholds=[0.5])
    return {
        "columns": list(evaluator.evaluate().columns),
        "query_columns": list(evaluator.evaluate_all_queries().columns),
        "best": sorted(best),
        "threshold_columns": list(thresholds.columns),
        "macro": evaluator.evaluate(average="macro").iloc[0].to_dict(),
        "micro": evaluator.evaluate(average="micro").iloc[0].to_dict(),
        "matched": evaluator.evaluate(average="micro", with_match_only=True).iloc[0].to_dict(),
        "k": {str(k): v for k, v in evaluator.evaluate_k_values(k_values=[1, 3]).items()},
    }


def main(query, source, known, top_k):
    documents = {"query": Document(query), "source": Document(source)}
    found = {"version": __version__, "pipelines": {}}
    for name, make in PIPELINES.items():
        results = make().run(**documents, top_k=top_k)
        found["pipelines"][name] = {
            str(query_id): [[str(one.segment.id), one.candidate_score, one.judgment_score]
                            for one in listed]
            for query_id, listed in results.items()
        }  # fmt: skip
    evaluator = IntertextEvaluator(
        query_doc=documents["query"],
        source_doc=documents["source"],
        ground_truth=GroundTruth(known),
        pipeline=PIPELINES["bm25"](),
        top_k=top_k,
        threshold=0.5,
    )
    found["measured"] = measured(evaluator)
    found["whole"] = {"identity": IdentityJudge.__name__, "pipeline": Pipeline.__name__}
    print("RESULT" + json.dumps(found, default=float))


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
