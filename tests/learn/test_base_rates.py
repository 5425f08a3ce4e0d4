"""Base rates learnt from judged texts."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles.errors import LocisimilesError, MalformedInputError, ParameterError
from locisimiles.files.arrays import save_arrays
from locisimiles.learn.base_rates import (
    JudgedText,
    fit_others,
    learn_base_rates,
    learn_others,
    learn_own,
)


def text_of(author, share, seed, *, part="fathers", excess=2.0, pairs=2000):
    """Return a text whose log-odds are too high by `excess`."""
    random = np.random.default_rng(seed)
    true = random.normal(np.log(share / (1 - share)), 2.0, pairs)
    right = random.random(pairs) < 1 / (1 + np.exp(-true))
    told = 1 / (1 + np.exp(-(true + excess)))
    return JudgedText(np.arange(pairs) // 2, told, right, np.ones(pairs, bool), part, author)


def null_text(author, seed):
    text = text_of(author, 0.001, seed, part="vulgate")
    return JudgedText(
        text.query,
        text.probability,
        np.zeros(len(text.query), bool),
        text.counts,
        "vulgate",
        author,
    )


def test_log_odds_that_are_too_high_are_corrected():
    model = learn_others([text_of("a", 0.05, 1), text_of("b", 0.05, 2)])
    assert model.slope == pytest.approx(1, abs=0.1)
    assert model.constant == pytest.approx(-2, abs=0.2)
    assert model.spread < 0.3


def test_authors_who_differ_leave_a_spread():
    alike = [text_of(str(n), 0.05, n) for n in range(6)]
    # The same scores, but more of them right: no search can tell.
    unlike = [text_of(str(n), 0.05, n, excess=2.0 + (n - 2.5)) for n in range(6)]
    assert learn_others(unlike).spread > learn_others(alike).spread + 0.3


def test_null_texts_lower_what_is_expected():
    noted = [text_of("a", 0.05, 1), text_of("b", 0.05, 2)]
    with_null = learn_others([*noted, null_text("c", 3), null_text("d", 4)])
    assert with_null.rate < learn_others(noted).rate


def test_pairs_that_stand_for_others_do_not_count():
    text = text_of("a", 0.05, 1)
    counts = text.right | (np.arange(len(text.right)) % 2 == 0)
    fewer = JudgedText(text.query, text.probability, text.right, counts, "fathers", "a")
    other = text_of("b", 0.05, 2)
    assert learn_others([fewer, other]).constant > learn_others([text, other]).constant


def test_what_editors_passed_over_is_allowed_for():
    random = np.random.default_rng(5)
    texts = [text_of("a", 0.05, 1), text_of("b", 0.05, 2)]
    half = [replace(text, right=text.right & (random.random(2000) < 0.5)) for text in texts]
    whole = fit_others(texts)
    chance = np.array([0.9, 0.99])
    assert (fit_others(half).log_odds(chance) < whole.log_odds(chance) - 0.5).all()
    assert fit_others(half, noted=0.5).log_odds(chance) == pytest.approx(
        whole.log_odds(chance), abs=0.4
    )
    with pytest.raises(ParameterError, match="noted"):
        fit_others(texts, noted=1.5)


def test_own_texts_keep_their_probabilities():
    model = learn_own([text_of("fold 0", 0.3, 1, excess=0.0)], 0.2)
    assert (model.slope, model.constant, model.above, model.spread) == (1, 0, 0, 0.2)


@pytest.mark.parametrize(
    ("others", "own", "reason"),
    [
        ([text_of("a", 0.05, 1)], [text_of("f", 0.3, 1)], "fewer than two"),
        ([null_text("a", 1), null_text("b", 2)], [text_of("f", 0.3, 1)], "no judged pair"),
        ([text_of("a", 0.05, 1), text_of("b", 0.05, 2)], [], "no judged text of authors"),
    ],
)
def test_too_little_to_learn_from_is_an_error(others, own, reason):
    with pytest.raises(ParameterError, match=reason):
        learn_base_rates(others, own, spread=0.1, weights_sha256="")


def columns(**changed):
    found = {
        "query": np.array([0, 0]),
        "chances": np.array([[0.5, 0.25, 0.25], [1, 0, 0]]),
        "right": np.array([True, False]),
        "counts": np.array([True, True]),
        "part": np.array("library"),
        "name": np.array("ovid.metamorphoses"),
    }
    return {name: column for name, column in {**found, **changed}.items() if column is not None}


def test_a_judged_text_is_read(tmp_path):
    save_arrays(tmp_path / "one.npz", columns())
    read = JudgedText.load(tmp_path / "one.npz")
    assert (read.part, read.author) == ("library", "ovid")
    assert read.best().tolist() == [0.5]


@pytest.mark.parametrize(
    "changed",
    [{"name": None}, {"right": np.array([True])}, {"chances": np.array([0.5])},
     {"chances": np.full((2, 3), 7.0)}, {"query": np.array(["a", "b"])}],
)  # fmt: skip
def test_another_file_is_an_error(tmp_path, changed):
    file = tmp_path / "one.npz"
    save_arrays(file, columns(**changed))
    with pytest.raises(MalformedInputError, match="not a judged text"):
        JudgedText.load(file)
    file.write_bytes(b"arma")
    with pytest.raises(LocisimilesError):
        JudgedText.load(file)
