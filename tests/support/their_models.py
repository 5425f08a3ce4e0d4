"""Runs in the Python that has the paper's package with its neural libraries; prints JSON.

Makes tiny models in a folder (an encoder of sentences, a classifier of pairs), and runs the neural
pipelines of the package with them: what they find means nothing, its shape does.
"""

import dataclasses
import json
import sys
import tempfile
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer, models
from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

from locisimiles import Document
from locisimiles.pipeline import (
    ExhaustiveClassificationPipeline,
    RetrievalPipeline,
    TwoStagePipeline,
)

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}


def make_models(folder):
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = [*PIECES, *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"))
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(vocabulary), **SIZES)
    for name, model in (
        ("bert", BertModel(config)),
        ("pairs", BertForSequenceClassification(config)),
    ):
        model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)
    words = models.Transformer(str(folder / "bert"))
    encoder = SentenceTransformer(
        modules=[words, models.Pooling(words.get_word_embedding_dimension())],
        prompts={"query": "", "match": ""},
    )
    encoder.save(str(folder / "sentences"))
    return {"embedding": str(folder / "sentences"), "pairs": str(folder / "pairs")}


def rows(results):
    """Return the results by query, each as the fields of its class."""
    found = {}
    for query_id, listed in results.items():
        found[str(query_id)] = [
            {
                field.name: str(one.segment.id)
                if field.name == "segment"
                else getattr(one, field.name)
                for field in dataclasses.fields(one)
            }
            for one in listed
        ]
    return found


def main(query, source, top_k):
    with tempfile.TemporaryDirectory() as folder:
        made = make_models(Path(folder))
        names = {"embedding_model_name": made["embedding"]}
        judged = {"classification_name": made["pairs"]}
        pipelines = {
            "retrieval": RetrievalPipeline(**names, top_k=top_k),
            "two-stage": TwoStagePipeline(**names, **judged),
            "labelled": TwoStagePipeline(**names, **judged, label_names=["none", "reference"]),
            "exhaustive": ExhaustiveClassificationPipeline(**judged),
        }
        found = {}
        for name, pipeline in pipelines.items():
            documents = {"query": Document(query), "source": Document(source)}
            found[name] = rows(pipeline.run(**documents, top_k=top_k))
    print("RESULT" + json.dumps(found, default=float))


if __name__ == "__main__":
    main(*sys.argv[1:3], int(sys.argv[3]))
