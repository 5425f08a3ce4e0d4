"""Frozen centres of lists."""

import numpy as np
import pytest

from locisimiles import EmptyInputError, IndexEncoder
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.late.centres import find_centres

SENTENCES = [f"arma uirumque cano Troiae qui primus ab oris {word}" for word in "abcdefgh"]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join([*SENTENCES, "breuis"]))
    return path


def test_centres_have_the_length_of_vectors(corpus, tiny_latin):
    encoder = OnnxEncoder(tiny_latin)
    found = find_centres(encoder, [corpus, corpus], count=5, sentences=6)
    assert found.dtype == np.int8
    assert found.shape == (5, encoder.piece_dimensions)
    assert np.linalg.norm(found, axis=1) == pytest.approx(127, abs=3)
    again = find_centres(encoder, [corpus, corpus], count=5, sentences=6)
    assert again.tolist() == found.tolist()


def test_there_are_no_more_centres_than_pieces(corpus, tiny_latin):
    encoder = OnnxEncoder(tiny_latin)
    pieces = len(encoder.encode_pieces(SENTENCES).vectors)
    assert len(find_centres(encoder, [corpus], count=10_000)) == pieces


def test_a_corpus_of_short_lines_is_an_error(tmp_path, tiny_latin):
    path = tmp_path / "short.txt"
    path.write_text("arma\ncano")
    with pytest.raises(EmptyInputError, match=r"short\.txt"):
        find_centres(OnnxEncoder(tiny_latin), [path])


def test_the_shipped_centres_fit_the_shipped_encoder():
    centres = IndexEncoder().centres
    assert centres.shape == (2048, 128)
    assert np.linalg.norm(centres, axis=1) == pytest.approx(127, abs=4)
