"""Learning word vectors; what needs gensim is marked."""

import sys

import numpy as np
import pytest

from locisimiles.errors import EmptyInputError, InputError, MissingDependencyError, ParameterError
from locisimiles.train.vectors import (
    VectorSettings,
    read_lemmas,
    train_on_sentences,
    train_vectors,
)

# Two worlds that share no word: those of one must become more similar to each other.
SEA = ["nauta uentus mare nauis unda", "mare unda nauis uentus nauta", "uentus unda mare nauis"]
FIELD = ["ager bos aratrum messis", "bos aratrum ager rusticus", "messis rusticus bos ager"]
SMALL = VectorSettings(dimensions=16, epochs=30, fewest=1, window=3, buckets=500, components=0)
SENTENCES = [line.split() for line in SEA + FIELD] * 20


def corpus(tmp_path, lines=tuple(SEA + FIELD)):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_sentences_become_lemmas_without_numbers(tmp_path):
    path = corpus(tmp_path, ["Vox faucibus haesit 12.", "7", "virumque cano"])
    assert list(read_lemmas([path])) == [["uox", "faux", "haereo"], ["uir", "que", "cano"]]


def test_without_gensim_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'gensim"):
        train_vectors([corpus(tmp_path)])


@pytest.mark.parametrize("wrong", ["dimensions", "window", "epochs", "fewest", "most_words"])
def test_invalid_settings_are_refused(wrong):
    with pytest.raises(ParameterError, match=f"{wrong} must be at least 1"):
        VectorSettings(**{wrong: 0})


@pytest.mark.train
@pytest.mark.parametrize("subwords", [False, True])
def test_words_that_occur_together_become_similar(subwords):
    # So few words are all common, and most of their occurrences are passed over.
    vectors = train_on_sentences(SENTENCES * 10, _with(subwords=subwords))
    assert vectors.dimensions == 16
    assert sorted(vectors.words) == sorted({word for line in SENTENCES for word in line})
    assert vectors.similarity("mare", "unda") > vectors.similarity("mare", "bos") + 0.1
    assert (vectors.subwords is not None) == subwords


@pytest.mark.train
def test_subwords_know_words_that_were_never_seen():
    vectors = train_on_sentences(SENTENCES, _with(subwords=True))
    assert np.linalg.norm(vectors.unit(["naufragus"])) == pytest.approx(1)


@pytest.mark.train
@pytest.mark.parametrize("subwords", [False, True])
def test_the_same_corpus_gives_the_same_vectors(subwords):
    one, other = (train_on_sentences(SENTENCES, _with(subwords=subwords)) for _ in range(2))
    assert one.fingerprint() == other.fingerprint()


@pytest.mark.train
def test_another_seed_gives_other_vectors():
    one, other = (train_on_sentences(SENTENCES, _with(seed=seed)) for seed in (1, 2))
    assert one.fingerprint() != other.fingerprint()


@pytest.mark.train
def test_the_most_frequent_words_are_kept():
    vectors = train_on_sentences([*SENTENCES, ["mare"] * 50, ["bos"] * 50], _with(most_words=2))
    assert set(vectors.words) == {"mare", "bos"}


@pytest.mark.train
def test_files_are_read_and_progress_is_reported(tmp_path):
    reported = []
    vectors = train_vectors(
        [corpus(tmp_path)], SMALL, progress=lambda *step: reported.append(step[0])
    )
    assert "uentus" in vectors
    assert {"reading", "learning"} == set(reported)


@pytest.mark.train
@pytest.mark.parametrize("sentences", [[], [["mare"]]])
def test_too_little_text_is_an_error(sentences):
    with pytest.raises(EmptyInputError, match="no word occurs 5 times"):
        train_on_sentences(sentences)


@pytest.mark.train
def test_a_missing_corpus_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"none\.txt"):
        train_vectors([tmp_path / "none.txt"])


def _with(**changes):
    values = {name: getattr(SMALL, name) for name in VectorSettings.__dataclass_fields__}
    return VectorSettings(**{**values, **changes})
