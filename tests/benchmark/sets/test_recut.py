"""Recut works: the same words, other segments."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, ReadOptions, Segment
from locisimiles.benchmark.sets.recut import first_locus, recut, renumber
from locisimiles.benchmark.sets.words import WorkWords, folded_words
from locisimiles.corpus.segment import LocusMark


def texts_after(texts, passages):
    lines = [Segment(f"a. {n}.1", text, locus=str(n)) for n, text in enumerate(texts, 1)]
    return [segment.text for segment in recut(WorkWords.of(lines), passages).segments]


def test_nothing_changes_without_passages():
    assert texts_after(["Arma cano.", "Tu."], []) == ["Arma cano.", "Tu."]


def test_punctuation_stays_with_the_words_it_belongs_to():
    cases = {
        "suspirans ait: 'quid si audissetis?'": ["suspirans ait:", "'quid si audissetis?'"],
        "talibus adloquitur: “Sunt, o fortissime": ["talibus adloquitur:", "“Sunt, o fortissime"],
        "assignari solet. » Flaccus quoque": ["assignari solet. »", "Flaccus quoque"],
        "pro Gabinio: « Ego, inquit": ["pro Gabinio:", "« Ego, inquit"],
        "memor ipse (ut perhibent)": ["memor ipse", "(ut perhibent)"],
        "praecipiti mens: / saxa": ["praecipiti mens:", "saxa"],
        "dixit tum:‘Neque te": ["dixit tum:", "‘Neque te"],
    }
    for text, parts in cases.items():
        assert texts_after([text], [(2, len(folded_words(text)))]) == parts


def test_joined_verses_keep_their_lines():
    verse = {"genre": "verse"}
    two_lines = (LocusMark("1", 0), LocusMark("2", 4))
    lines = [
        Segment("v. 1.1", "Ille autem:", locus="1", loci=(LocusMark("1", 0),), meta=verse),
        Segment("v. 1.2", "tua me", locus="1-2", loci=two_lines, meta=verse),
        Segment("v. 3.1", "imago.", locus="3", loci=(LocusMark("3", 0),), meta=verse),
    ]  # fmt: skip
    (joined,) = recut(WorkWords.of(lines), [(0, 5)]).segments
    assert joined.text == "Ille autem: tua me / imago."
    assert joined.locus == "1-3"
    assert [(mark.locus, joined.text[mark.offset :]) for mark in joined.loci] == [
        ("1", "Ille autem: tua me / imago."),
        ("2", "me / imago."),
        ("3", "imago."),
    ]


def test_a_piece_knows_the_lines_it_covers():
    marks = (LocusMark("1", 0), LocusMark("2", 11), LocusMark("3", 17))
    whole = Segment("v. 1.1", "Et dixit / tua / imago.", locus="1-3", loci=marks)
    first, second = recut(WorkWords.of([whole]), [(2, 4)]).segments
    assert (first.text, first.locus) == ("Et dixit", "1")
    assert (second.text, second.locus) == ("tua / imago.", "2-3")
    assert second.loci == (LocusMark("2", 0), LocusMark("3", 6))


def test_ids_do_not_show_that_a_work_was_recut():
    lines = [Segment(f"cic. phil. 2.30.{n}", text, locus="2.30") for n, text in
             enumerate(["sic dixit: Brutus exclamavit.", "ergo ego."], 1)]  # fmt: skip
    cutting = recut(WorkWords.of(lines), [(2, 4)])
    numbered = list(renumber(cutting.segments, cutting.touched, "cic. phil."))
    assert [segment.id for segment in numbered] == [f"cic. phil. 2.30.{n}" for n in (1, 2, 3)]
    assert [segment.text for segment in numbered][1:] == ["Brutus exclamavit.", "ergo ego."]


words = st.lists(st.sampled_from(["arma,", "‘uirum", "cano.’", "—", "(tu", "12", "/"]), min_size=3)


@given(st.lists(words.map(" ".join), min_size=1, max_size=8), st.data())
def test_every_word_stays_and_every_passage_is_one_segment(texts, data):
    lines = [Segment(f"a. {n}.1", text, locus=str(n)) for n, text in enumerate(texts, 1)]
    work = WorkWords.of(lines)
    size = len(work.words)
    bounds = sorted(data.draw(st.sets(st.integers(0, size), max_size=6)))
    passages = list(zip(bounds[::2], bounds[1::2], strict=False))
    cutting = recut(work, passages)
    again = WorkWords.of(cutting.segments)
    assert [w for w in again.words if w] == [w for w in work.words if w]
    for begin, end in passages:
        segment = cutting.segments[cutting.begins.index(begin)]
        assert folded_words(segment.text) == tuple(filter(None, work.words[begin:end]))
    numbered = list(renumber(cutting.segments, cutting.touched, "a."))
    assert len({segment.id for segment in numbered}) == len(numbered)


@given(st.data())
def test_a_work_that_is_recut_and_restored_is_the_same(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("verse") / "vergil.tess"
    lines = data.draw(st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6))
    path.write_text(
        "".join(f"<verg. aen. 1.{n}>\t{line} x.\n" for n, line in enumerate(lines, 1)), "utf-8"
    )
    segments = list(Document(path, options=ReadOptions()))
    work = WorkWords.of(segments)
    whole = recut(work, [(0, len(work.words))])
    assert len(whole.segments) == 1
    spans = list(pairwise(work.begins))
    back = recut(WorkWords.of(whole.segments), spans)
    assert [segment.text for segment in back.segments] == [segment.text for segment in segments]
    assert [first_locus(segment) for segment in back.segments] == [
        first_locus(segment) for segment in segments
    ]
