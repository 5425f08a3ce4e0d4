"""The evidence of many pairs."""

import json

import numpy as np
import pytest

from locisimiles import (
    Document,
    EvidenceFinder,
    Index,
    ParameterError,
    Segment,
    SegmentIdError,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.evidence import Changes, EncoderMeanings, Neighbours, align
from locisimiles.index import TextPart

HAESIT = "hier. epist. 130.5.5.3", "verg. aen. 2.774.1"


@pytest.fixture(scope="module")
def finder():
    return EvidenceFinder(load_example_query(), load_example_source())


def pair(query, source, **other):
    documents = [Document.from_segments([Segment(name, text)]) for name, text in (query, source)]
    return EvidenceFinder(*documents, **other).for_pairs([0], [0])[0]


def texts(query, source, **other):
    return pair(("q", query), ("s", source), **other)


def test_the_evidence_of_a_known_reference(finder):
    found = finder.explain(*HAESIT)
    assert (found.query_id, found.source_id) == HAESIT
    assert [word.lemma for word in found.shared] == ["haereo", "uox", "faux"]
    assert found.changes == Changes(
        "other", 0, 0, 3, 3, verse_in_prose=True, verbatim=("uox faucibus",)
    )
    assert found.alignment.lemmas == ("haereo", "uox", "faux")
    assert found.segments == len(load_example_source())


def test_pairs_are_explained_independently(finder):
    known = load_example_ground_truth()[:25]
    ids = [(reference.query_id, reference.source_id) for reference in known]
    rows = (
        [load_example_query().index(query) for query, _ in ids],
        [load_example_source().index(source) for _, source in ids],
    )
    together = finder.for_pairs(*rows)
    assert together == [finder.explain(*own) for own in ids]
    assert sum(bool(found.shared) for found in together) > 10


def test_evidence_can_be_written_as_json(finder):
    found = finder.explain(*HAESIT)
    written = json.loads(json.dumps(found.as_dict()))
    assert written["sentence"] == found.sentence
    assert written["alignment"]["pairs"][0]["bond"] == "form"
    assert written["elsewhere"]["places"][0]["id"] == found.elsewhere.places[0].id
    assert written["changes"]["order"] == "other"


def test_progress_is_reported(finder):
    told = []
    finder.for_pairs([0, 1], [1, 0], progress=lambda *report: told.append(report))
    assert told == [("collecting evidence", 0, 2), ("collecting evidence", 2, 2)]


def test_many_pairs_are_explained_in_batches(finder, monkeypatch):
    rows = list(range(9))
    whole = finder.for_pairs(rows, rows)
    monkeypatch.setattr("locisimiles.evidence.finder._AT_ONCE", 4)
    assert finder.for_pairs(rows, rows) == whole


def test_no_pairs_have_no_evidence(finder):
    assert finder.for_pairs([], []) == []


def test_a_pair_that_shares_nothing_still_has_evidence():
    found = texts("uox", "")
    assert found.shared == ()
    assert found.collocation is found.elsewhere is found.formula is found.rival is None
    assert found.changes == Changes(None, 0, 0, 0, 0, verse_in_prose=False)


@pytest.mark.parametrize(
    ("query", "source", "order"),
    [
        ("uox haesit", "uox haesit", "same"),
        ("haesit uox", "uox et haesit", "other"),
        ("uox", "uox", None),
    ],
)
def test_the_order_of_the_words(query, source, order):
    assert texts(query, source).changes.order == order


def test_other_forms_and_similar_words_are_counted():
    found = texts("uocem metuit arma", "arma uox timet")
    assert (found.changes.inflected, found.changes.synonyms) == (1, 1)
    assert texts("uocem metuit arma", "arma uox timet", meanings=None).changes.synonyms == 0
    # One of the two is the same form, so the lemma is not changed.
    assert texts("uox uocem", "uox uocis").changes.inflected == 0


def test_all_words_count_towards_the_extent():
    changes = texts("uox et in illa haesit", "haesitque uox").changes
    assert (changes.query_words, changes.source_words) == (5, 3)


def test_verse_in_prose_is_recognised():
    verse, prose = "uox / haesit", "uox haesit" + " et" * 60
    assert texts(prose, verse).changes.verse_in_prose
    assert not texts(verse, verse).changes.verse_in_prose
    assert not texts(prose, prose).changes.verse_in_prose


def test_neighbours_are_of_the_same_work():
    segments = [
        Segment("a1", "uox", work="a"),
        Segment("a2", "uox", work="a"),
        Segment("b1", "uox", work="b"),
    ]
    document = Document.from_segments(segments)
    found = EvidenceFinder(document, document).for_pairs([0, 1], [2, 1])
    assert [own.query_neighbours for own in found] == [Neighbours("", "a2"), Neighbours("a1", "")]
    assert found[0].source_neighbours == Neighbours("", "")


def test_cues_are_found_near_the_aligned_words():
    found = texts("ut ait Tullius, uox faucibus haesit", "uox faucibus haesit")
    assert [(cue.kind, cue.author) for cue in found.cues] == [
        ("attribution", ""),
        ("author", "Cicero"),
    ]


def test_the_encoder_can_find_similar_words(tiny_latin):
    meanings = EncoderMeanings(tiny_latin)
    found = texts("uox metuit", "uox timet", meanings=meanings)
    assert found.alignment == align("uox metuit", "uox timet", meanings=meanings)


def test_similar_ids_are_suggested(finder):
    with pytest.raises(SegmentIdError, match=r"query has no segment 'hier. epist. 130.5.5.33'.* h"):
        finder.explain("hier. epist. 130.5.5.33", HAESIT[1])
    with pytest.raises(SegmentIdError, match=r"source has no segment '#'; its ids look like"):
        finder.explain(HAESIT[0], "#")


def test_errors_about_ids_are_translated(finder):
    with pytest.raises(SegmentIdError) as caught:
        finder.explain(HAESIT[0], "#")
    assert caught.value.text("de").startswith("die Quelle hat kein Segment „#“; die Kennungen")
    assert caught.value.text("fr").startswith("la source ne contient pas de segment « # » ; les")


def test_an_empty_document_has_no_segment_to_explain():
    empty = Document.from_segments([])
    with pytest.raises(SegmentIdError, match=r"query has no segment 'a'; it is empty"):
        EvidenceFinder(empty, empty).explain("a", "b")


@pytest.mark.parametrize("rows", [([-1], [0]), ([0], [10**6]), ([0, 1], [0])])
def test_rows_must_be_pairs_of_segments(finder, rows):
    with pytest.raises(ParameterError):
        finder.for_pairs(*rows)


def test_unknown_meanings_are_refused():
    with pytest.raises(ParameterError, match="choose one of vectors, encoder"):
        texts("uox", "uox", meanings="dreams")


def test_rows_may_be_arrays(finder):
    assert len(finder.for_pairs(np.array([0, 1]), np.array([1, 0]))) == 2


def test_pairs_of_an_index_are_read_one_by_one(tmp_path, monkeypatch):
    """What a block costs does not grow with the two texts."""
    query, source = load_example_query(), load_example_source()
    index = Index.build(tmp_path / "index", source)
    finder = EvidenceFinder(query, index)
    read, tokenize = [], TextPart.of

    def recording(texts):
        read.extend(texts)
        return tokenize(texts)

    monkeypatch.setattr(TextPart, "of", recording)
    found = finder.for_pairs([3, 3, 5], [7, 8, 7])
    assert sorted(read) == sorted([query.texts[3], query.texts[5], *index.texts[7:9]])
    monkeypatch.undo()
    places = [source.index(index.ids[row]) for row in (7, 8, 7)]
    assert found == EvidenceFinder(query, source).for_pairs([3, 3, 5], places)
