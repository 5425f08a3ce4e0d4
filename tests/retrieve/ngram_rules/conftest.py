"""The rules once more, as they are written down: a loop over all pairs, without an index."""

import math
import re
from functools import cache
from itertools import combinations

import pytest

from locisimiles import Document, Segment
from locisimiles.latin import Frequencies, analyse, fold, tokenize
from locisimiles.retrieve.ngram_rules import NgramRules


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


def as_dict(candidates, queries, source):
    """Return, for each query id, its candidates as pairs of source id and score."""
    found = {query_id: [] for query_id in queries.ids}
    for query, position, score in zip(
        candidates.query, candidates.source, candidates.score, strict=True
    ):
        found[queries.ids[query]].append((source.ids[position], float(score)))
    return found


def search(queries, source, *, k=10_000, **parameters):
    candidates = NgramRules(**parameters).index(source).search(queries, k)
    return as_dict(candidates, queries, source)


@cache
def words_of(text, rules):
    """Return the words of a text as (term, lemma, place, clause, part of speech)."""
    words, clause, last = [], 0, 0
    for token in tokenize(text):
        if rules.clause_ends and re.search(
            f"[{re.escape(rules.clause_ends)}]", text[last : token.start]
        ):
            clause += 1
        last = token.end
        (reading,) = analyse([token.text], "fast")
        if reading.lemma not in rules.stopwords and not reading.lemma.isdigit():
            term = reading.lemma if rules.terms == "lemma" else fold(token.text)
            words.append((term, reading.lemma, len(words), clause, reading.pos))
    return words


@cache
def close_pairs(text, rules):
    """Return {(clause, term, other term, in order): distance} of the closest occurrences."""
    closest = {}
    for one, other in combinations(words_of(text, rules), 2):
        distance = other[2] - one[2]
        if one[3] != other[3] or distance > rules.window or one[0] == other[0]:
            continue
        low, high = sorted([one, other])
        key = one[3], low[0], high[0], one is low
        if key not in closest or distance < closest[key][0]:
            has_pos = sum(word[4] in rules.pos for word in (one, other)) >= rules.pos_words
            closest[key] = distance, has_pos
    return closest


def score_by_hand(query, source, rules):
    """Return the score of two texts, or None if they are no candidate."""
    frequencies = Frequencies.shipped()
    in_query, in_source = words_of(query, rules), words_of(source, rules)
    lemma = {word[0]: word[1] for word in in_query}
    worth, groups = {}, {}
    for (clause, low, high, order), (distance, fits) in close_pairs(query, rules).items():
        for key, (far, fits_too) in close_pairs(source, rules).items():
            if key[1:3] != (low, high) or not fits or not fits_too:
                continue
            limit = math.inf if rules.max_collocations is None else rules.max_collocations
            if frequencies.pair_count(lemma[low], lemma[high]) > limit:
                continue
            value = 1 if key[3] == order else rules.reordered
            value /= 1 + rules.decay * (distance + far - 2)
            groups.setdefault((clause, key[0]), []).append((low, high, value))
    for shared in groups.values():
        if len({term for pair in shared for term in pair[:2]}) >= rules.n:
            for low, high, value in shared:
                worth[low] = max(worth.get(low, 0), value)
                worth[high] = max(worth.get(high, 0), value)
    anywhere = {word[0] for word in in_query} & {word[0] for word in in_source}
    if rules.complura is not None and len(anywhere) >= rules.complura:
        least = rules.reordered / (1 + rules.decay * 2 * rules.window)
        worth |= {term: max(worth.get(term, 0), least) for term in anywhere}
    score = sum(value * frequencies.rarity(lemma[term]) for term, value in worth.items())
    return score if score > 0 and score >= rules.min_score else None


@pytest.fixture(scope="session")
def by_hand():
    def search_by_hand(queries, source, **parameters):
        rules = NgramRules(**parameters)
        found = {}
        for query in queries:
            scores = {s.id: score_by_hand(query.text, s.text, rules) for s in source}
            found[query.id] = {name: score for name, score in scores.items() if score is not None}
        return found

    return search_by_hand


@pytest.fixture(scope="session")
def find():
    return search


@pytest.fixture(scope="session")
def make():
    return document
