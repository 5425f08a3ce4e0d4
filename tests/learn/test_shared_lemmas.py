"""The baseline over shared lemmas."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles.benchmark.protocols import judge_all
from locisimiles.benchmark.sets.pools import training_set
from locisimiles.corpus import Document, Segment
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.latin import Frequencies
from locisimiles.learn.shared_lemmas import FEATURES, SharedLemmas, pair_features


def document(*texts):
    return Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))


def feature(name, query, *sources):
    return pair_features(document(query), document(*sources))[0, :, FEATURES.index(name)]


def test_shared_words_are_counted_once():
    sources = "uox faucibus haesit", "uox uox et", "arma", ""
    assert np.expm1(feature("shared lemmas", "haesit uox et faucibus", *sources)) == (
        pytest.approx([3, 1, 0, 0])
    )
    assert np.expm1(feature("shared function words", "haesit uox et", *sources)) == (
        pytest.approx([0, 1, 0, 0])
    )


def test_shared_forms_are_stricter_than_lemmas():
    found = np.expm1(feature("shared forms", "arma regis", "armis regis", "arma regis"))
    assert found == pytest.approx([1, 2])


def test_neighbours_may_have_two_words_between_them_in_either_order():
    sources = (
        "uox miles urbs rex", "rex uox", "uox miles urbs bellum rex", "uox et et et et rex",
    )  # fmt: skip
    found = np.expm1(feature("shared neighbours", "uox rex", *sources))
    assert found == pytest.approx([1, 1, 0, 1])


def test_rarity_has_a_maximum_and_a_sum():
    rarity = Frequencies.shipped().rarity
    found = feature("rarity of the rarest of them", "uox rex", "rex uox", "rex")
    assert found == pytest.approx([max(rarity("uox"), rarity("rex")), rarity("rex")])
    total = np.expm1(feature("rarity of the shared lemmas", "uox rex", "rex uox", "rex"))
    assert total == pytest.approx([rarity("uox") + rarity("rex"), rarity("rex")])


def test_equal_texts_share_all_rarity():
    assert feature("share of the words' rarity", "uox rex", "rex uox")[0] == pytest.approx(1)


def test_references_get_higher_probabilities(tiny):
    fitted = SharedLemmas(ridge=0.1).fit(tiny, PreparedDocument(tiny.source))
    found = judge_all(fitted, tiny.query, tiny.source)
    references = tiny.references
    assert found.shape == (len(tiny.query), len(tiny.source), 3)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-6)
    of_references = 1 - found[references.query, references.source, 0]
    assert of_references.mean() > 5 * (1 - found[..., 0]).mean()


def test_the_same_training_gives_the_same_weights(tiny):
    source = PreparedDocument(tiny.source)
    one, two = (SharedLemmas().fit(training_set(tiny, 0), source) for _ in range(2))
    assert one.parameters() == two.parameters()


def test_training_needs_folds(tiny):
    unfolded = replace(
        tiny,
        references=replace(tiny.references, fold=np.full(len(tiny.references), -1, np.int8)),
    )
    with pytest.raises(ParameterError, match="no folds"):
        SharedLemmas().fit(unfolded, PreparedDocument(unfolded.source))


@pytest.mark.parametrize("ridge", [0, -1, float("nan"), float("inf")])
def test_an_invalid_ridge_is_refused(ridge):
    with pytest.raises(ParameterError):
        SharedLemmas(ridge=ridge)
