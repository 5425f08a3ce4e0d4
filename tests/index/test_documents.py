"""Texts that remember what was derived from them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import (
    Document,
    Ensemble,
    Pipeline,
    Segment,
    load_example_query,
    load_example_source,
)
from locisimiles.index import PreparedDocument, TextPart
from locisimiles.latin import tokens as tokens_module
from locisimiles.latin.text_words import TextWords


def prepared(*texts):
    return PreparedDocument(Document.from_segments(Segment(str(n), t) for n, t in enumerate(texts)))


def words_of(tokens):
    return [[token.text for token in tokens.tokens(row)] for row in range(len(tokens.bounds) - 1)]


TEXTS = st.lists(st.sampled_from(["arma uirumque cano", "", "uox. haesit", "12 et"]), max_size=6)


@settings(max_examples=40)
@given(TEXTS, st.data())
def test_selected_tokens_are_those_of_the_selected_texts(texts, data):
    whole = prepared(*texts)
    rows = data.draw(st.lists(st.integers(0, max(len(texts) - 1, 0)), unique=True, max_size=4))
    rows = rows if texts else []
    expected = words_of(TextPart.of([texts[row] for row in rows]).tokens)
    assert whole.tokens is whole.tokens
    assert words_of(whole.select(rows).tokens) == expected
    joined = [part for block in whole.parts(2) for part in words_of(block.tokens)]
    assert joined == words_of(whole.tokens)


@given(TEXTS, TEXTS)
def test_parts_are_joined(one, other):
    joined = TextPart.of(one).join(TextPart.of(other))
    assert list(joined.texts) == [*one, *other]
    assert words_of(joined.tokens) == words_of(TextPart.of([*one, *other]).tokens)


def test_what_is_derived_is_made_once():
    texts, made = prepared("arma"), []
    for _ in range(2):
        assert texts.derive("key", lambda: made.append(1) or "value") == "value"
    assert made == [1]
    assert texts.derived("key", str) == "value"
    assert texts.derived("other", str) is None
    assert texts.derived("key", int) is None
    assert texts.words is texts.words


def test_words_are_those_of_the_texts():
    texts = prepared("arma uirumque", "cano")
    assert texts.words.lemma.tolist() == TextWords.read(["arma uirumque", "cano"]).lemma.tolist()


def test_a_search_tokenises_each_text_once(monkeypatch, tmp_path):
    """Retrievers, rules, word vectors and features share tokens; encoders have their own."""
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    query, source = load_example_query()[:3], load_example_source()[:40]
    pipeline = Pipeline(classifier=Ensemble(cross_encoder=None), k=3)
    pipeline.run(query=query, source=source)  # vectors are kept now
    seen = []
    batch = tokens_module.Tokenizer._tokenize_batch

    def counted(self, texts):
        seen.extend(texts)
        return batch(self, texts)

    monkeypatch.setattr(tokens_module.Tokenizer, "_tokenize_batch", counted)
    pipeline.run(query=query, source=source)
    assert sorted(seen) == sorted([*query.texts, *source.texts])


def test_a_prepared_document_is_of_the_one_it_was_made_of():
    document = Document.from_segments([Segment("a", "arma"), Segment("b", "uirum")])
    texts = PreparedDocument(document)
    assert texts.is_of(document)
    assert not texts.is_of(Document.from_segments([Segment("a", "arma"), Segment("b", "uirum")]))
    other_ids = Document.from_texts(list(document.texts), ["c", "d"])
    assert not PreparedDocument(other_ids).is_of(document)


def test_blocks_hold_all_segments_in_order():
    texts = prepared(*"abcdefg")
    assert [list(block.texts) for block in texts.blocks(3)] == [[*"abc"], [*"def"], ["g"]]
    assert [*texts.blocks(7)] == [*texts.blocks(8)] == [texts]
    assert next(texts.blocks(7)) is texts
    assert [list(block.texts) for block in texts.blocks(6)] == [[*"abcdef"], ["g"]]
    assert [*prepared().blocks(3)] == []


def test_parts_hold_all_texts_in_order():
    texts = prepared("arma", "uirum cano", "", "et")
    assert [list(part.texts) for part in texts.parts(3)] == [["arma", "uirum cano", ""], ["et"]]
    assert [words_of(part.tokens) for part in texts.parts(3)] == [
        [["arma"], ["uirum", "cano"], []], [["et"]],
    ]  # fmt: skip


def test_other_texts_of_a_part_are_not_tokenised(monkeypatch):
    tokenised = []
    tokenize = TextPart.of.__func__

    def counted(cls, texts):
        tokenised.append(list(texts))
        return tokenize(cls, texts)

    monkeypatch.setattr(TextPart, "of", classmethod(counted))
    texts = prepared("arma", "uirum", "cano")
    part = texts.part(np.array([2, 0]))
    assert (list(part.texts), words_of(part.tokens)) == (["cano", "arma"], [["cano"], ["arma"]])
    assert tokenised == [["cano", "arma"]]
    assert words_of(texts.tokens) == [["arma"], ["uirum"], ["cano"]]
    again = texts.part(np.array([1]))
    assert words_of(again.tokens) == [["uirum"]]
    assert ["uirum"] not in tokenised
