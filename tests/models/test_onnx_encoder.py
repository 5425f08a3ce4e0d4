"""Our own encoder as onnxruntime runs it, with a small one beside a network written in NumPy."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Segment
from locisimiles.late.search import Late
from locisimiles.latin.units import text_units
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.models.loading import choose_encoder, choose_piecewise_encoder
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.models.pieces import windows
from locisimiles.retrieve.vectors.contextual import Contextual
from locisimiles.retrieve.vectors.dense import Dense

TEXTS = ["Arma virumque cano,", "vox faucibus haesit", "vox", "nosce te", "o tempora, o mores!"]
LONG = "Arma uirumque cano, uox faucibus haesit: nosce te. " * 6
HOSTILE = [
    "",
    " ",
    "...",
    "12 345",
    "🙂🙂",
    "\ud800",
    "uox \ud800 te",
    "a\0b\0",
    "[CLS] [PAD]",
    "ᾴ",
]

# Nothing here; but where a processor adds up in another order, a number may be rounded to the next.
ROUNDING = 0.03


@pytest.fixture(scope="module")
def encoder(tiny_latin):
    return OnnxEncoder(tiny_latin, threads=1)


def network(script, numbers):
    """Return both vectors of each piece, in float64 and by the plainest means."""
    weights = {name: values.astype(float) for name, values in script.weights().items()}
    heads = script.MEASURES["heads"]

    def weight(name):
        return weights[f"{name}.weight"]

    def norm(x, name):
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * weight(name)

    def turned(x, position):
        half = len(x) // 2
        angles = [position * 10_000 ** (-wave / half) for wave in range(half)]
        numbers = [complex(a, b) for a, b in zip(x[:half], x[half:], strict=True)]
        numbers = [
            n * complex(math.cos(t), math.sin(t)) for n, t in zip(numbers, angles, strict=True)
        ]
        return np.array([n.real for n in numbers] + [n.imag for n in numbers])

    def attended(x, layer):
        parts = np.split(x @ weight(f"{layer}.into").T, 3, axis=1)
        mixed = []
        for q, k, v in zip(*(np.split(part, heads, axis=1) for part in parts), strict=True):
            asking, asked = (np.array([turned(r, i) for i, r in enumerate(m)]) for m in (q, k))
            strength = np.exp(asking @ asked.T / math.sqrt(q.shape[1]))
            mixed.append(strength / strength.sum(1, keepdims=True) @ v)
        return np.concatenate(mixed, axis=1) @ weight(f"{layer}.out").T

    erf = np.vectorize(math.erf)
    x = norm(weight("encoder.pieces")[numbers], "encoder.after_pieces")
    for number in range(script.MEASURES["layers"]):
        layer = f"encoder.layers.{number}"
        x = x + attended(norm(x, f"{layer}.before_attention"), f"{layer}.attention")
        units = norm(x, f"{layer}.before_units") @ weight(f"{layer}.into").T
        gate, value = np.split(units, 2, axis=1)
        opened = gate * (1 + erf(gate / math.sqrt(2))) / 2
        x = x + opened * value @ weight(f"{layer}.out").T
    hidden = norm(x, "encoder.last")
    return hidden, hidden @ weight("head").T


def unit_length(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def pieces_by_hand(script, encoder, text):
    """Return number, word and vector of the pieces of a short text, without those of stops."""
    units = next(text_units([text]))
    tokenizer = encoder.tokenizer()
    pieces = [
        (number, unit)
        for unit in units
        for number in tokenizer.encode(unit.text, add_special_tokens=False).ids
    ]
    vectors = network(script, [2, *(number for number, _ in pieces), 3])[1][1:-1]
    kept = [place for place, (_, unit) in enumerate(pieces) if not unit.is_stop]
    numbers, units = zip(*(pieces[place] for place in kept), strict=True)
    return numbers, units, unit_length(vectors[kept])


def of_text(tokens, text):
    return tokens.vectors[tokens.bounds[text] : tokens.bounds[text + 1]]


def test_piece_vectors_are_those_of_the_network(encoder, tiny_latin_script):
    found = encoder.encode_pieces(TEXTS)
    assert found.vectors.dtype == np.float32
    assert found.piece.dtype == np.int32
    assert len(found.piece) > sum(len(text.split()) for text in TEXTS)
    for row, text in enumerate(TEXTS):
        numbers, units, expected = pieces_by_hand(tiny_latin_script, encoder, text)
        place = slice(*found.bounds[row : row + 2])
        assert found.piece[place].tolist() == list(numbers)
        assert found.start[place].tolist() == [unit.start for unit in units]
        assert found.end[place].tolist() == [unit.end for unit in units]
        own = of_text(found, row)
        assert own.shape == expected.shape
        # Bytes are coarse in a network as narrow as this one.
        assert (own * expected).sum(1).min() > 0.99
        assert (own * np.roll(expected, 1, axis=1)).sum(1).max() < 0.99


def test_text_vectors_are_the_mean_of_the_last_layer(encoder, tiny_latin_script):
    tokenizer = encoder.tokenizer()
    found = encoder.encode(TEXTS)
    for vector, units in zip(found, text_units(TEXTS), strict=True):
        joined = " ".join(unit.text for unit in units)
        numbers = [2, *tokenizer.encode(joined, add_special_tokens=False).ids, 3]
        expected = unit_length(network(tiny_latin_script, numbers)[0][1:-1].mean(0))
        assert vector @ expected > 0.99
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)


def test_pieces_know_the_places_of_their_words(encoder):
    texts = ["Arma virumque, 12 canō!", "", "... mos"]
    found = encoder.encode_pieces(texts)
    spans = [
        [texts[text][found.start[p] : found.end[p]] for p in range(*found.bounds[text : text + 2])]
        for text in range(len(texts))
    ]
    assert spans == [["Arma", "virum", "que", "canō"], [], ["mos", "mos", "mos"]]
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=1), 1, rtol=1e-5)
    assert found.vectors.shape[1] == encoder.piece_dimensions == 8


def test_equal_pieces_have_equal_numbers_wherever_they_stand(encoder):
    found = encoder.encode_pieces(["vox, te", "", "te canis vox", "te"])
    vox, te, *rest = found.piece.tolist()
    assert (rest[0], rest[-2], rest[-1]) == (te, vox, te)
    assert len({vox, te, *rest}) == 2 + len("canis")


def test_tokens_have_the_places_of_their_units_and_the_mean_of_the_text(encoder):
    texts = ["canis, vox", "vox"]
    tokens = encoder.encode_tokens(texts)
    places = [(0, 5)] * 5 + [(5, 6), (7, 10), (0, 3)]
    assert list(zip(tokens.start.tolist(), tokens.end.tolist(), strict=True)) == places
    assert tokens.bounds.tolist() == [0, 7, 8]
    assert tokens.vectors.shape[1] == encoder.dimensions == 16
    means = np.array([of_text(tokens, text).mean(0) for text in range(2)])
    np.testing.assert_allclose(encoder.encode(texts), unit_length(means), atol=1e-6)


def test_every_word_of_a_long_text_is_read_in_its_window(encoder, tiny_latin_script):
    found = encoder.encode_pieces([LONG, "vox"])
    assert np.diff(found.bounds).tolist() == [9 * 6, 1]
    pieces = encoder._tokenizer.read([LONG])
    assert len(pieces.number) > 2 * encoder.longest
    expected = np.zeros((len(pieces.number), 8))
    for window in windows(0, len(pieces.number), encoder.longest):
        numbers = [2, *pieces.number[window.begin : window.end], 3]
        own = network(tiny_latin_script, numbers)[1][1:-1]
        for place in range(window.first, window.last):
            expected[place] = own[place - window.begin]
    expected = unit_length(expected[pieces.is_word[pieces.unit]])
    assert (of_text(found, 0) * expected).sum(1).min() > 0.99


@settings(deadline=None, max_examples=30)
@given(
    texts=st.lists(st.sampled_from([*TEXTS, *HOSTILE, LONG]), max_size=8),
    threads=st.integers(1, 3),
)
def test_vectors_depend_on_the_text_alone(tiny_latin, encoder, texts, threads):
    other = OnnxEncoder(tiny_latin, threads=threads)
    words, tokens, vectors = (
        other.encode_pieces(texts),
        other.encode_tokens(texts, "source"),
        other.encode(texts),
    )
    assert len(words.bounds) == len(tokens.bounds) == len(texts) + 1
    for row, text in enumerate(texts):
        for found, alone in (
            (of_text(words, row), encoder.encode_pieces([text]).vectors),
            (of_text(tokens, row), encoder.encode_tokens([text]).vectors),
            (vectors[row], encoder.encode([text])[0]),
        ):
            np.testing.assert_allclose(found, alone, atol=ROUNDING)


def test_equal_texts_have_equal_vectors(encoder):
    vectors = encoder.encode([*TEXTS, *reversed(TEXTS)])
    np.testing.assert_array_equal(vectors[:5], vectors[5:][::-1])
    np.testing.assert_array_equal(encoder.encode(TEXTS[::-1]), vectors[:5][::-1])


@pytest.mark.parametrize("small", [1, 7, 10_000])
def test_blocks_and_batches_change_nothing(encoder, monkeypatch, small):
    texts = [*TEXTS, LONG, *HOSTILE]
    expected = encoder.encode_pieces(texts)
    monkeypatch.setattr("locisimiles.models.batches._PIECES_IN_A_BATCH", small)
    for name in ("_CHARACTERS_IN_A_BLOCK", "_TEXTS_IN_A_BLOCK"):
        monkeypatch.setattr(f"locisimiles.models.onnx_encoder.{name}", small)
    found = encoder.encode_pieces(texts)
    np.testing.assert_array_equal(found.bounds, expected.bounds)
    np.testing.assert_array_equal(found.start, expected.start)
    np.testing.assert_array_equal(found.piece, expected.piece)
    np.testing.assert_allclose(found.vectors, expected.vectors, atol=ROUNDING)


@pytest.mark.parametrize("text", ["", " ... ", "12 345", "🙂", "\ud800", "\0"])
def test_a_text_without_words_has_no_vectors(encoder, text):
    assert not encoder.encode([text]).any()
    assert len(encoder.encode_pieces([text]).vectors) == 0
    assert len(encoder.encode_tokens([text]).vectors) == 0


def test_no_texts_have_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, 16)
    assert encoder.encode_pieces([]).vectors.shape == (0, 8)
    assert encoder.encode_tokens([]).bounds.tolist() == [0]


@settings(deadline=None)
@given(text=st.text())
def test_any_text_is_encoded(encoder, text):
    words = encoder.encode_pieces([text])
    assert np.isfinite(words.vectors).all()
    assert (words.start < words.end).all()
    assert words.end.max(initial=0) <= len(text)


def test_a_text_of_a_megabyte_is_encoded_whole(encoder):
    text = "uox faucibus haesit, " * 50_000
    words = encoder.encode_pieces([text])
    assert len(words.vectors) == 150_000
    assert words.end[-1] == len(text) - 2
    assert (np.linalg.norm(words.vectors, axis=1) > 0.99).all()


def test_progress_ends_with_all_texts(encoder):
    told = []
    encoder.encode_pieces([*TEXTS, TEXTS[0]], progress=lambda *report: told.append(report))
    assert told[-1] == ("encoding", len(TEXTS), len(TEXTS))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_what_makes_the_vectors_is_described(encoder):
    described = encoder.describe()
    assert described["model"] == "tiny_latin"
    assert len(described["model_sha256"]) == len(described["tokenizer_sha256"]) == 64


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_must_be_at_least_one(tiny_latin, threads):
    with pytest.raises(ParameterError, match="threads"):
        OnnxEncoder(tiny_latin, threads=threads)


def test_an_unknown_kind_is_refused(encoder):
    for encode in (encoder.encode, encoder.encode_tokens):
        with pytest.raises(ParameterError, match="kind"):
            encode(TEXTS, "sources")


@pytest.fixture
def source():
    return Document.from_segments(Segment(str(i), text) for i, text in enumerate(TEXTS))


@pytest.mark.parametrize("retriever", [Dense, Contextual, Late])
def test_retrievers_find_texts_with_it(tiny_latin, tmp_path, source, retriever):
    chosen = retriever(tiny_latin, cache=tmp_path)
    assert chosen.index(source).search(source, 1).source.tolist() == [0, 1, 2, 3, 4]
    assert chosen.parameters()["model_sha256"] == OnnxEncoder(tiny_latin).describe()["model_sha256"]
    assert EmbeddingCache(tmp_path).kinds()


def test_vectors_are_cached(tiny_latin, tmp_path, monkeypatch, source):
    found = Dense(tiny_latin, cache=tmp_path).index(source).search(source, 5)
    monkeypatch.setattr(OnnxEncoder, "encode", None)  # which nobody asks again
    again = Dense(tiny_latin, cache=tmp_path).index(source).search(source, 5)
    np.testing.assert_array_equal(again.score, found.score)


def test_it_is_chosen_by_its_folder_without_torch(tiny_latin, monkeypatch):
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    first = choose_encoder(tiny_latin)
    assert isinstance(first, OnnxEncoder)
    assert choose_encoder(str(tiny_latin)) is first is choose_piecewise_encoder(tiny_latin)
    assert choose_piecewise_encoder(first) is first


def test_nothing_heavy_is_loaded_before_it_is_used(tiny_latin):
    code = (
        "import sys, locisimiles; from locisimiles.models.loading import choose_encoder;"
        f"choose_encoder({str(tiny_latin)!r}).describe();"
        "print([name for name in ('onnxruntime', 'tokenizers', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
