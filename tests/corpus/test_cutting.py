"""Reports of how texts are cut."""

from pathlib import Path

import pytest

from locisimiles import Document, Segment
from locisimiles.corpus.cutting import LONG, UNEXPLAINED, cut_report

TESS = Path("../shared/corpora/tess")


def odd(*texts, loci=None):
    loci = loci or [f"1.{number}" for number in range(len(texts))]
    segments = [
        Segment(f"s {number}", text, locus=locus)
        for number, (text, locus) in enumerate(zip(texts, loci, strict=True))
    ]
    return [(one.kind, one.reason) for one in cut_report(Document.from_segments(segments)).odd]


def test_lengths_are_counted_in_words():
    document = Document.from_texts(["Arma uirumque cano.", "Italiam fato.", "A b c d e."])
    report = cut_report(document, "Aeneis")
    assert (report.name, report.segments) == ("Aeneis", 3)
    assert (report.shortest, report.median, report.longest) == (2, 3.0, 5)
    assert report.odd == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("'Quid?'", "question or exclamation"),
        ("Vercellis.", "sentence of one word"),
        ("A.", "short answer, speaker, greeting or source"),
        ("omnia .....", "gap in the text"),
        ("12.2.6sq.", "reference or number of the edition"),
        ("illuc:", "colon that ends a segment in this work"),
        ("<cic.", "markup of the file"),
    ],
)
def test_segments_of_one_word_have_a_reason(text, reason):
    assert ("one word", reason) in odd(text, "Abeo redeo.")


def test_a_word_without_a_stop_has_none():
    assert odd("fragmentum", "abeo redeo.") == [
        ("one word", UNEXPLAINED),
        ("no stop at the end", UNEXPLAINED),
    ]


def test_long_segments_are_periods_unless_a_stop_was_missed():
    words = "uerbum " * LONG
    kind = f"more than {LONG} words"
    assert odd(f"{words}C. Mari, a. d. III Kal. facit 'abi!', inquit (lib. II) multa.") == [
        (kind, "one period of the editor")
    ]
    assert odd(f"Uenit consulem. {words}abit.") == [(kind, UNEXPLAINED)]


def test_greek_with_separate_accents_hides_a_stop():
    words = "uerbum " * LONG
    ((_, reason),) = odd(f"{words}πολιτικο\u0301ν. cum sit necesse.")
    assert reason.startswith("stop after Greek")


def test_a_missing_stop_is_explained_where_a_part_ends():
    assert odd("sic ducam donec", "Abeo redeo.", loci=["4.6.85", "4.7.1"]) == [
        ("no stop at the end", "end of a book, poem, letter or chapter")
    ]
    assert odd("sic ducam donec", "Abeo redeo.", loci=["4.6.85", "4.6.86"]) == [
        ("no stop at the end", UNEXPLAINED)
    ]
    assert odd("Abeo redeo.", "sic ducam donec") == [("no stop at the end", "end of the text")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("—: ergo roganti.", "stop at the end of an aside"),
        ("’ potest hoc.", "quotation mark set apart"),
        ("| Secundum hoc.", "markup of the file"),
        (", ergo roganti.", UNEXPLAINED),
    ],
)
def test_signs_at_the_beginning_have_a_reason(text, reason):
    assert odd(text) == [("begins with a sign", reason)]


def test_segments_without_words_are_gaps_or_numbers():
    assert odd("* * *.", "17.", ".") == [
        ("no word", "gap in the text"),
        ("no word", "number alone"),
        ("no word", UNEXPLAINED),
    ]


@pytest.mark.slow
@pytest.mark.skipif(not TESS.is_dir(), reason="needs the corpora")
def test_no_odd_segment_of_the_tesserae_texts_is_unexplained():
    paths = sorted(TESS.glob("*.tess"))
    assert len(paths) == 99
    unexplained = [one for path in paths for one in cut_report(Document(path)).unexplained]
    assert unexplained == []
