"""A model of the lemmatizer made by hand, small enough to know what it must say."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from locisimiles.latin.guesser import FEATURES
from locisimiles.latin.model import LemmaModel

_SLOTS = 1 << 10


def _numbered(names):
    return {name: number for number, name in enumerate(sorted(set(names)))}


def _offsets(groups):
    return np.cumsum([0, *map(len, groups)]).astype(np.int32)


@pytest.fixture
def make_model():
    """Make a model.

    `analyses`: form → (lemma, tag, probability) …; `origins`: form → 0, 1 or 2 (0 if not named);
    `known`: (lemma, tag) → count; `rules`: ending → (cut, add, tag, probability) …; `resort`:
    form → lemma; `features`: feature → weight; `weights`: slot → weight.
    """

    def make(analyses, *, origins=(), known=(), rules=(), resort=(), features=(), weights=()):
        analyses = {form: analyses[form] for form in sorted(analyses)}
        origins, known, rules = dict(origins), dict(known), dict(sorted(dict(rules).items()))
        resort, features, weights = dict(resort), dict(features), dict(weights)
        rows = [row for group in analyses.values() for row in group]
        flat = [rule for group in rules.values() for rule in group]
        lemmas = _numbered([row[0] for row in rows] + [k[0] for k in known] + [*resort.values()])
        tags = _numbered([row[1] for row in rows] + [k[1] for k in known] + [r[2] for r in flat])
        additions = _numbered([rule[1] for rule in flat] or [""])
        hashed = sorted((zlib.crc32(form.encode()), lemma) for form, lemma in resort.items())
        table = np.zeros(_SLOTS, np.int8)
        for slot, weight in weights.items():
            table[slot % _SLOTS] = weight
        return LemmaModel(
            forms=list(analyses),
            lemmas=list(lemmas),
            tags=list(tags),
            start=_offsets(analyses.values()),
            analysis_lemma=np.array([lemmas[row[0]] for row in rows], np.int32),
            analysis_pos=np.array([tags[row[1]] for row in rows], np.uint8),
            analysis_probability=np.array([round(255 * row[2]) for row in rows], np.uint8),
            origin=np.array([origins.get(form, 0) for form in analyses], np.uint8),
            known_lemma=np.array([lemmas[lemma] for lemma, _ in known], np.int32),
            known_pos=np.array([tags[tag] for _, tag in known], np.uint8),
            known_count=np.array([*known.values()], np.int32),
            endings=list(rules) or [""],
            ending_total=np.array([10.0] * (len(rules) or 1), np.float32),
            rule_start=_offsets(list(rules.values()) or [[]]),
            rule_cut=np.array([rule[0] for rule in flat], np.uint8),
            rule_add=np.array([additions[rule[1]] for rule in flat], np.uint16),
            rule_pos=np.array([tags[rule[2]] for rule in flat], np.uint8),
            rule_probability=np.array([rule[3] for rule in flat], np.float32),
            additions=list(additions),
            resort_hash=np.array([key for key, _ in hashed], np.uint32),
            resort_lemma=np.array([lemmas[lemma] for _, lemma in hashed], np.int32),
            guess_weights=np.array([features.get(name, 0.0) for name in FEATURES]),
            context_weights=table,
            context_scale=np.array([0.1]),
        )

    return make


@pytest.fixture
def model(make_model):
    """A few words, one of them with two analyses, and two rules."""
    return make_model(
        {
            "arma": [("arma", "NOUN", 1.0)],
            "canis": [("canis", "NOUN", 0.6), ("cano", "VERB", 0.4)],
            "uirum": [("uir", "NOUN", 1.0)],
            "facem": [("fax", "NOUN", 1.0)],
            "malchum": [("malchus", "PROPN", 0.7), ("malchum", "NOUN", 0.3)],
            "abba": [("abba", "NOUN", 1.0)],
        },
        origins={"malchum": 1, "abba": 2},
        known={("silua", "NOUN"): 5, ("amo", "VERB"): 2},
        rules={
            "arum": [(3, "", "NOUN", 0.75), (4, "us", "ADJ", 0.25)],
            "at": [(2, "o", "VERB", 1.0)],
        },
        resort={"xerxen": "xerxes"},
        features={"rule": 1.0, "known": 2.0},
    )
