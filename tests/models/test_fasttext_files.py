"""Models of fastText, whole and broken."""

import struct

import numpy as np
import pytest

from locisimiles.errors import InputError, MalformedInputError, UnknownFormatError
from locisimiles.models.fasttext_files import FASTTEXT_MAGIC, read_fasttext
from locisimiles.models.subwords import subword_means
from locisimiles.models.vector_files import read_vectors

WORDS = ["</s>", "uox", "faucēs"]
BUCKETS = 7
INPUT = np.random.default_rng(3).normal(size=(len(WORDS) + BUCKETS, 4)).astype("<f4")


def model(
    *, version=12, kind=2, shortest=3, longest=4, pruned=-1, quantised=0, words=WORDS, numbers=INPUT
):
    """Write a model as fastText does."""
    settings = (4, 5, 5, 1, 5, 1, 2, kind, BUCKETS, shortest, longest, 100)
    parts = [FASTTEXT_MAGIC, struct.pack("<13id", version, *settings, 1e-4)]
    parts.append(struct.pack("<3i2q", len(words) + 1, len(words), 1, 100, pruned))
    parts += [word.encode() + b"\0" + struct.pack("<qb", 9, 0) for word in words]
    parts.append(b"__label__x\0" + struct.pack("<qb", 9, 1))
    parts.append(struct.pack("<?2q", quantised, *numbers.shape))
    return b"".join(parts) + numbers.tobytes()


def test_a_word_has_the_mean_of_itself_and_its_subwords():
    vectors = read_fasttext(model(), "m.bin")
    assert list(vectors.words) == WORDS
    expected = subword_means(WORDS[1:], INPUT[3:], 3, 4, INPUT[1:3])
    assert np.allclose(vectors.rows.all()[1:], expected)


def test_the_end_of_a_sentence_has_no_subwords():
    assert np.array_equal(read_fasttext(model(), "m.bin").rows.all()[0], INPUT[0])


def test_unknown_words_have_the_mean_of_their_subwords():
    vectors = read_fasttext(model(), "m.bin")
    assert np.allclose(
        vectors.subwords.vectors(["uoces"]), subword_means(["uoces"], INPUT[3:], 3, 4)
    )


@pytest.mark.parametrize("options", [{"longest": 0}, {"version": 11, "kind": 3}])
def test_a_model_without_subwords_knows_only_its_words(options):
    vectors = read_fasttext(model(**options), "m.bin")
    assert vectors.subwords is None
    assert np.array_equal(vectors.rows.all(), INPUT[:3])


def test_a_model_is_known_by_its_first_bytes(tmp_path):
    path = tmp_path / "m.bin"
    path.write_bytes(model())
    assert list(read_vectors(path).words) == WORDS


def test_a_model_cut_off_anywhere_is_an_error_that_says_at_which_byte():
    content = model()
    for size in range(len(FASTTEXT_MAGIC), len(content)):
        with pytest.raises(MalformedInputError, match=r"m\.bin: .*at byte \d+"):
            read_fasttext(content[:size], "m.bin")


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (model(version=13), UnknownFormatError, "format 13"),
        (model(quantised=1), UnknownFormatError, "compressed"),
        (model(pruned=2), UnknownFormatError, "pruned"),
        (model(shortest=5), MalformedInputError, "damaged at byte 64"),
        (model(words=[]), MalformedInputError, "damaged at byte 92"),
        (model(numbers=INPUT[:-1]), MalformedInputError, "damaged at byte 173"),
        (model(numbers=INPUT * np.nan), MalformedInputError, "damaged at byte 173"),
        (model().replace(b"uox", b"u\xffx"), InputError, "the word at byte 106 is not UTF-8"),
        (model().replace(b"uox", b"u\nx"), MalformedInputError, "damaged at byte 106"),
        (model().replace(b"uox\0", b"uoxx"), MalformedInputError, "damaged at byte"),
    ],
)
def test_a_broken_model_is_an_error(content, error, message):
    with pytest.raises(error, match=message):
        read_fasttext(content, "m.bin")


@pytest.mark.train
def test_what_gensim_writes_for_fasttext_has_the_same_vectors(tmp_path):
    from gensim.models import FastText
    from gensim.models.fasttext import save_facebook_model

    sentences = [["uox", "faux", "haereo"], ["arma", "uir", "cano"]] * 5
    learnt = FastText(sentences, vector_size=6, min_count=1, bucket=50, workers=1, seed=1)
    save_facebook_model(learnt, str(tmp_path / "m.bin"))
    vectors = read_vectors(tmp_path / "m.bin")
    for word in ("uox", "cano", "uoces", "armiger"):
        expected = learnt.wv[word] / np.linalg.norm(learnt.wv[word])
        assert vectors.unit([word])[0] == pytest.approx(expected, abs=1e-5)
