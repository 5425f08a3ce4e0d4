"""Encoders of the transformers library, with a small one made here."""

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.models.families import PAPER_PROMPTS, Prompts
from locisimiles.models.loading import load_encoder
from locisimiles.retrieve.vectors.contextual import Contextual
from locisimiles.retrieve.vectors.dense import Dense

pytestmark = pytest.mark.train

TEXTS = ["arma uirumque cano", "uox faucibus haesit", "uox", "o tempora, o mores"]


def by_hand(encoder, text, pooling):
    """Return the vector of a text, one at a time and without padding."""
    torch = pytest.importorskip("torch")
    with torch.no_grad():
        encoded = encoder.tokenizer(text, return_tensors="pt")
        hidden = encoder.model(**encoded).last_hidden_state[0]
    vector = hidden[0] if pooling == "cls" else hidden.mean(0)
    return (vector / vector.norm()).numpy()


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_vectors_are_pooled_and_have_length_one(tiny_encoder, pooling, batch_size):
    encoder = load_encoder(tiny_encoder, pooling=pooling, batch_size=batch_size)
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32
    expected = [by_hand(encoder, text, pooling) for text in TEXTS]
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


def test_equal_texts_have_equal_vectors_in_any_order(tiny_encoder):
    encoder = load_encoder(tiny_encoder, batch_size=2)
    vectors = encoder.encode([*TEXTS, *reversed(TEXTS)])
    np.testing.assert_array_equal(vectors[:4], vectors[4:][::-1])
    np.testing.assert_array_equal(encoder.encode(TEXTS[::-1]), vectors[:4][::-1])


def test_texts_without_letters_are_zeros(tiny_encoder):
    encoder = load_encoder(tiny_encoder, prompts="paper")
    vectors = encoder.encode(["", " … ", "uox"])
    assert vectors.any(axis=1).tolist() == [False, False, True]
    assert encoder.encode([]).shape == (0, 32)


def test_lone_surrogates_are_no_problem(tiny_encoder):
    encoder = load_encoder(tiny_encoder)
    assert encoder.encode(["uox \ud800"]).any()
    assert len(encoder.encode_tokens(["uox \ud800"]).start) > 0


def test_prompts_are_written_before_texts(tiny_encoder):
    plain, prompted = load_encoder(tiny_encoder), load_encoder(tiny_encoder, prompts="paper")
    for kind, prompt in (("query", "Query: "), ("source", "Candidate: ")):
        np.testing.assert_allclose(
            prompted.encode(TEXTS, kind),
            plain.encode([prompt + text for text in TEXTS], kind),
            atol=1e-6,
        )
    assert not np.allclose(prompted.encode(TEXTS, "query"), prompted.encode(TEXTS, "source"))


def test_long_texts_are_cut_where_the_model_ends(tiny_encoder):
    encoder = load_encoder(tiny_encoder)
    assert encoder.max_length == 64
    assert load_encoder(tiny_encoder, max_length=1000).max_length == 64
    short = load_encoder(tiny_encoder, max_length=4)
    np.testing.assert_allclose(short.encode(["uox faux"]), short.encode(["uox faux arma uir"]))


@pytest.mark.parametrize("prompts", ["none", "paper"])
def test_tokens_know_their_places(tiny_encoder, prompts):
    encoder = load_encoder(tiny_encoder, prompts=prompts)
    texts = ["Vox haesit, arma", "", "uox"]
    tokens = encoder.encode_tokens(texts, "source")
    assert tokens.bounds[-1] == len(tokens.start) == len(tokens.vectors)
    pieces = [
        [texts[i][tokens.start[t] : tokens.end[t]] for t in range(begin, end)]
        for i, (begin, end) in enumerate(zip(tokens.bounds, tokens.bounds[1:], strict=False))
    ]
    assert pieces == [["V", "o", "x", "haesit", ",", "arma"], [], ["uox"]]


def test_tokens_are_the_mean_of_the_chosen_layers(tiny_encoder):
    first, second, both = (
        load_encoder(tiny_encoder, layers=layers).encode_tokens(TEXTS).vectors
        for layers in [(1,), (-1,), (1, 2)]
    )
    np.testing.assert_allclose(both, (first + second) / 2, atol=1e-5)
    assert not np.allclose(first, second)


def test_a_saved_encoder_is_loaded_with_its_pooling_and_prompts(tiny_encoder, tmp_path):
    encoder = load_encoder(tiny_encoder, pooling="cls", prompts=PAPER_PROMPTS, max_length=20)
    encoder.save(tmp_path / "saved")
    again = load_encoder(tmp_path / "saved")
    assert (again.pooling, again.prompts, again.max_length) == ("cls", PAPER_PROMPTS, 20)
    np.testing.assert_array_equal(again.encode(TEXTS), encoder.encode(TEXTS))
    assert not list((tmp_path / "saved").glob("*.bin"))


@pytest.mark.filterwarnings("ignore")  # of a library that is not ours
def test_sentence_transformers_reads_what_is_saved(tiny_encoder, tmp_path):
    theirs = pytest.importorskip("sentence_transformers")
    encoder = load_encoder(tiny_encoder, pooling="cls", prompts=PAPER_PROMPTS, max_length=20)
    encoder.save(tmp_path / "saved")
    model = theirs.SentenceTransformer(str(tmp_path / "saved"), device="cpu")
    for kind, name in (("query", "query"), ("source", "document")):
        np.testing.assert_allclose(
            model.encode(TEXTS, prompt_name=name), encoder.encode(TEXTS, kind), atol=1e-5
        )


@pytest.mark.filterwarnings("ignore")  # of a library that is not ours
def test_what_sentence_transformers_saves_is_read(tiny_encoder, tmp_path):
    theirs = pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    transformer = modules.Transformer(str(tiny_encoder), max_seq_length=30)
    pooling = modules.Pooling(transformer.get_word_embedding_dimension(), pooling_mode="cls")
    model = theirs.SentenceTransformer(
        modules=[transformer, pooling, modules.Normalize()],
        prompts={"query": "q: ", "document": "d: "},
        device="cpu",
    )
    model.save(str(tmp_path / "theirs"))
    encoder = load_encoder(tmp_path / "theirs")
    assert (encoder.pooling, encoder.prompts) == ("cls", Prompts("q: ", "d: "))
    np.testing.assert_allclose(
        encoder.encode(TEXTS, "source"), model.encode(TEXTS, prompt_name="document"), atol=1e-5
    )


def test_retrievers_work_with_a_model_in_a_folder(tiny_encoder, tmp_path):
    source = Document.from_segments(Segment(str(i), text) for i, text in enumerate(TEXTS))
    for retriever in (
        Dense(tiny_encoder, cache=tmp_path),
        Contextual(tiny_encoder, cache=tmp_path),
    ):
        found = retriever.index(source).search(source, 1)
        assert found.source.tolist() == [0, 1, 2, 3]
        assert (
            retriever.parameters()["model_sha256"] == retriever.encoder().describe()["model_sha256"]
        )


def test_what_changes_vectors_is_described(tiny_encoder):
    options = [{}, {"pooling": "cls"}, {"prompts": Prompts("a", "b")}, {"max_length": 9}]
    described = [str(load_encoder(tiny_encoder, **option).describe()) for option in options]
    assert len(set(described)) == len(options)
