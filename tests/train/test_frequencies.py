"""Counting lemmas and pairs of lemmas."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.latin import STOPWORDS, Frequencies, lemmatize, tokenize
from locisimiles.train import frequencies as module
from locisimiles.train.common import corpora
from locisimiles.train.frequencies import count_frequencies, count_sentences

WORDS = "arma virumque cano et in vox vocem haesit non bello rex regem 12 λόγος sunt XII".split()
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=8)


def naive(sentences, window, fewest, fewest_lemma):
    """The same, sentence by sentence and word by word."""
    singles, pairs = Counter(), Counter()
    for sentence in sentences:
        lemmas = lemmatize([token.text for token in tokenize(sentence)], "fast")
        lemmas = [lemma for lemma in lemmas if lemma.isalpha()]
        singles.update(set(lemmas))
        content = [lemma for lemma in lemmas if lemma not in STOPWORDS]
        places = combinations(range(len(content)), 2)
        near = {frozenset((content[i], content[j])) for i, j in places if j - i <= window}
        pairs.update(pair for pair in near if len(pair) == 2)
    singles = {lemma: n for lemma, n in singles.items() if n >= fewest_lemma}
    kept = {pair: n for pair, n in pairs.items() if n >= fewest and pair <= singles.keys()}
    return singles, kept


def as_dictionaries(counted):
    lemmas = counted.lemmas
    pairs = zip(counted.pairs.tolist(), counted.pair_counts.tolist(), strict=True)
    return dict(zip(lemmas, counted.counts.tolist(), strict=True)), {
        frozenset((lemmas[key // len(lemmas)], lemmas[key % len(lemmas)])): n for key, n in pairs
    }


@settings(deadline=None, max_examples=40)
@given(SENTENCES, st.integers(1, 6), st.integers(1, 3), st.integers(1, 3), st.integers(1, 4))
def test_counts_equal_those_of_a_double_loop(sentences, window, fewest, fewest_lemma, size):
    batches = [sentences[at : at + size] for at in range(0, len(sentences), size)]
    counted = count_sentences(batches, window=window, fewest=fewest, fewest_lemma=fewest_lemma)
    assert as_dictionaries(counted) == naive(sentences, window, fewest, fewest_lemma)
    assert counted.sentences == len(sentences)
    assert (counted.window, counted.fewest) == (window, fewest)


@settings(deadline=None, max_examples=40)
@given(SENTENCES)
def test_merging_in_between_makes_no_difference(sentences):
    batches = [[sentence] for sentence in sentences]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MERGE_AFTER", 2)
        counted = count_sentences(batches, window=5, fewest=1, fewest_lemma=1)
    assert as_dictionaries(counted) == naive(sentences, 5, 1, 1)


@settings(deadline=None, max_examples=40)
@given(SENTENCES)
def test_pairs_are_ascending_and_frequent_lemmas_come_first(sentences):
    counted = count_sentences([sentences], window=3, fewest=1, fewest_lemma=1)
    assert (np.diff(counted.pairs) > 0).all()
    assert (np.diff(counted.counts) <= 0).all()
    size = max(len(counted.lemmas), 1)
    assert (counted.pairs // size < counted.pairs % size).all()


def test_a_lemma_counts_once_in_a_sentence():
    counted = count_sentences([["vox vocem", "uox"]], window=5, fewest=1, fewest_lemma=1)
    assert counted.count("uox") == 2
    assert len(counted.pairs) == 0


def test_function_words_do_not_keep_words_apart():
    sentence = "arma et in non sunt uox"
    counted = count_sentences([[sentence]], window=1, fewest=1, fewest_lemma=1)
    assert counted.pair_count("arma", "uox") == 1
    assert counted.count("et") == 1
    assert counted.pair_count("et", "uox") == 0


@pytest.mark.parametrize(("window", "found"), [(1, 0), (2, 1)])
def test_the_window_limits_the_distance_of_words(window, found):
    counted = count_sentences([["arma rex uox"]], window=window, fewest=1, fewest_lemma=1)
    assert counted.pair_count("arma", "uox") == found


def test_words_of_two_sentences_are_not_a_pair():
    counted = count_sentences([["arma", "uox"], ["rex"]], window=5, fewest=1, fewest_lemma=1)
    assert (counted.sentences, len(counted.pairs)) == (3, 0)


@pytest.mark.parametrize("wrong", ["window", "fewest", "fewest_lemma"])
def test_numbers_below_one_are_an_error(wrong):
    options = {"window": 1, "fewest": 1, "fewest_lemma": 1, wrong: 0}
    with pytest.raises(ParameterError, match=f"{wrong} must be at least 1"):
        count_sentences([], **options)


def test_files_are_counted_together_and_the_same_each_time(write, tmp_path, monkeypatch):
    monkeypatch.setattr(corpora, "_BATCH", 2)
    lines = ["arma uirumque cano", "uox haesit", "arma cano", "uox et arma", "rex uocem"]
    one, other = write("a.txt", "\n".join(lines[:3])), write("b.txt", "\n".join(lines[3:]))
    reports = []
    counted = count_frequencies(
        [one, other], fewest=1, fewest_lemma=1, progress=lambda *report: reports.append(report)
    )
    assert as_dictionaries(counted) == naive(lines, 5, 1, 1)
    assert reports == [("counting", done, 2) for done in range(3)]
    counted.save(tmp_path / "a.npz")
    count_frequencies([one, other], fewest=1, fewest_lemma=1).save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert Frequencies.load(tmp_path / "a.npz").pair_count("arma", "cano") == 2


def test_rare_lemmas_and_pairs_are_left_out(write):
    path = write("a.txt", "uox haesit\nuox haesit\nuox rex")
    counted = count_frequencies([path], fewest=3)
    assert counted.lemmas == ["uox", "haereo"]
    assert len(counted.pairs) == 0
