"""BM25 as rank_bm25 counts it, which the paper's package uses."""

import math
from collections import Counter

import numpy as np
import pytest

from locisimiles import BM25, Document
from locisimiles.compat.pipeline.okapi import Okapi

SOURCE = [
    "arma uirum cano",
    "et uox faucibus haesit et",
    "et tuba terribili sonitu et arma",
    "arma dabunt ipsi et",
    "uox et praeterea nihil",
]


def rank_bm25(query, texts, k1=1.5, b=0.75, epsilon=0.25):
    """Score as that library does: a weight below zero is replaced by a share of the average."""
    split = [text.split() for text in texts]
    containing = Counter(word for words in split for word in set(words))
    idf = {
        word: math.log(len(texts) - n + 0.5) - math.log(n + 0.5) for word, n in containing.items()
    }
    floor = epsilon * sum(idf.values()) / len(idf)
    idf = {word: floor if weight < 0 else weight for word, weight in idf.items()}
    average = sum(map(len, split)) / len(split)
    return [
        sum(
            idf.get(word, 0)
            * words.count(word)
            * (k1 + 1)
            / (words.count(word) + k1 * (1 - b + b * len(words) / average))
            for word in query.split()
        )
        for words in split
    ]


@pytest.mark.parametrize("query", ["arma uirum", "et uox", "et et arma nihil", "faucibus haesit"])
def test_scores_are_those_of_rank_bm25(query):
    found = (
        Okapi(terms="surface")
        .index(Document.from_texts(SOURCE))
        .search(Document.from_texts([query]), k=10)
    )
    scores = dict(zip(found.source.tolist(), found.score.tolist(), strict=True))
    wanted = {row: score for row, score in enumerate(rank_bm25(query, SOURCE)) if score}
    assert scores == pytest.approx(wanted)


def test_common_words_count_for_less_than_in_lucenes_variant():
    rare, common = np.array([1]), np.array([40])
    ours, theirs = BM25(), Okapi()
    assert theirs.rarity(rare, 100) / theirs.rarity(common, 100) > ours.rarity(
        rare, 100
    ) / ours.rarity(common, 100)


@pytest.mark.parametrize("texts", [["arma"], ["arma", "uox"], ["arma", "arma"]])
def test_what_is_shared_counts_in_the_smallest_source(texts):
    found = Okapi().index(Document.from_texts(texts)).search(Document.from_texts(["arma"]), k=3)
    assert found.source.tolist() == [row for row, text in enumerate(texts) if text == "arma"]
    assert (found.score > 0).all()
