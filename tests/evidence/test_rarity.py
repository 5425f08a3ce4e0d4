"""How rare shared words are, where else they occur, and which source is better."""

import numpy as np
import pytest

from locisimiles import Document, EvidenceFinder, Segment, load_example_source
from locisimiles.evidence import Collocation, Place, SharedLemma
from locisimiles.latin import Frequencies, lemmatize, tokenize

OMNIA = "omnia timeo et tuta"


def document(*texts, author="", prefix="s"):
    return Document.from_segments(
        [Segment(f"{prefix}{at}", text, author=author) for at, text in enumerate(texts)]
    )


def evidence(query, *sources, library=None, row=0):
    finder = EvidenceFinder(document(query, prefix="q"), document(*sources), library=library)
    return finder.for_pairs([0], [row])[0]


def test_lemmas_are_counted_in_source_library_and_background():
    background = Frequencies.shipped()
    library = document("uocem", "uocibus", "mare", prefix="l")
    found = evidence("uox faucibus", "uox faucibus", "uocem", "arma", library=library)
    assert found.shared == (
        SharedLemma("uox", 2, 2, background.count("uox")),
        SharedLemma("faux", 1, 0, background.count("faux")),
    )
    assert found.collocation == Collocation(
        ("uox", "faux"), 1, 0, background.pair_count("uox", "faux")
    )
    assert evidence("uox", "uox").shared[0].in_library is None


def test_of_several_collocations_the_rarest_is_taken():
    found = evidence("uox faucibus haesit", "haesit uox faucibus", "uox haesit", "uox faucibus")
    assert set(found.collocation.lemmas) == {"faux", "haereo"}
    assert found.collocation.in_source == 1


def test_words_far_apart_on_one_side_are_not_a_collocation():
    apart = "uox rosa mare silua terra ignis arma faucibus"
    assert evidence("uox faucibus", apart).collocation is None
    assert evidence(apart, "uox faucibus").collocation is None
    near = "uox rosa mare et silua et terra faucibus"
    assert evidence("uox faucibus", near).collocation.lemmas == ("uox", "faux")


def test_other_places_come_in_chronological_order():
    segments = [
        Segment("found", "uox faucibus"),
        Segment("mart. 1.1.1", "uox in faucibus"),
        Segment("nobody", "faucibus uocem"),
        Segment("verg. aen. 1.1.1", "uocis fauces"),
        Segment("lucr. 1.1.1", "uox faucibus"),
        Segment("alone", "uox"),
    ]
    query = Document.from_segments([Segment("q", "uox faucibus")])
    library = Document.from_segments([segments[3], Segment("catull. 1.1", "uoce faucium")])
    source = Document.from_segments(segments)
    found = EvidenceFinder(query, source, library=library).explain("q", "found")
    assert found.elsewhere.lemmas == ("uox", "faux")
    assert found.elsewhere.count == 5
    assert [place.id for place in found.elsewhere.places] == [
        "lucr. 1.1.1",
        "catull. 1.1",
        "verg. aen. 1.1.1",
        "mart. 1.1.1",
        "nobody",
    ]
    assert found.elsewhere.places[0] == Place("lucr. 1.1.1", "", -55, "Lucr. 1.1")
    assert found.elsewhere.places[-1].year is None
    assert (found.segments, found.library_segments) == (6, 1)
    few = EvidenceFinder(query, source, places=2).explain("q", "found").elsewhere
    assert (few.count, len(few.places)) == (4, 2)


def test_the_query_itself_is_not_another_place():
    query = Document.from_segments([Segment("q", "uox faucibus")])
    source = Document.from_segments([Segment("s", "uox faucibus"), Segment("q", "uox faucibus")])
    assert EvidenceFinder(query, source).explain("q", "s").elsewhere.count == 0


def test_a_single_shared_word_has_other_places_too():
    found = evidence("uox arma", "uox rosa", "uocem", "arma")
    assert (found.elsewhere.lemmas, found.elsewhere.count) == (("uox",), 1)
    assert evidence("uox", "rosa").elsewhere is None


def test_common_expressions_are_flagged_with_the_reason():
    found = evidence("puncto temporis", "temporis puncto")
    count = Frequencies.shipped().pair_count("punctum", "tempus")
    assert set(found.formula.lemmas) == {"punctum", "tempus"}
    assert f"about {count:,} of {Frequencies.shipped().sentences:,}" in found.formula.reason
    assert evidence("uox faucibus", "uox faucibus").formula is None


def test_words_of_many_authors_are_a_common_expression():
    texts = ["uox faucibus"] * 12
    segments = [Segment(str(at), text, author=f"A{at % 4}") for at, text in enumerate(texts)]
    query = document("uox faucibus", prefix="q")
    found = EvidenceFinder(query, Document.from_segments(segments)).for_pairs([0], [0])[0]
    assert found.formula.reason == "they stand together in 12 segments by 4 authors"
    fewer = Document.from_segments(segments[:11])
    assert EvidenceFinder(query, fewer).for_pairs([0], [0])[0].formula is None


def padded(*texts):
    """Sources among many others, in which all words but *omnis* are rare."""
    return [*texts, *["omnis rosa mare"] * 400]


def test_the_trap_of_omnia_timeo():
    # The second source has the words of the first, and more of those around them.
    trap, better = "omnia timenda sunt", "omnia tuta timens"
    found = evidence("Dido: omnia tuta timeo", *padded(trap, better))
    assert found.rival.id == "s1"
    assert found.rival.lemmas == ("omnis", "tutus", "timeo")
    assert found.rival.own_lemmas == ("omnis", "timeo")
    assert evidence("Dido: omnia tuta timeo", *padded(trap, better), row=1).rival is None


@pytest.mark.parametrize(("between", "is_near"), [(4, True), (5, False)])
def test_words_near_the_aligned_ones_may_support_a_rival(between, is_near):
    query = "tuta " + "et " * between + "omnia timeo"
    found = evidence(query, *padded("omnia timenda sunt", "omnia tuta timens"))
    assert (found.rival is not None) == is_near


@pytest.mark.parametrize(("between", "is_close"), [(8, True), (9, False)])
def test_a_rival_must_have_the_words_close_together(between, is_close):
    other = "tuta " + "siluam " * between + "timens"
    found = evidence("omnia tuta timeo", *padded("omnia timenda", other))
    assert (found.rival is not None) == is_close


def test_rivals_agree_with_a_naive_search():
    source = load_example_source()
    query = document(*source.texts[::9], prefix="q")
    rows = np.arange(len(query))
    others = (rows * 7 + 3) % len(source)
    words = [content_lemmas(text) for text in source.texts]
    rivals = 0
    for row, other, found in zip(
        rows.tolist(),
        others.tolist(),
        EvidenceFinder(query, source).for_pairs(rows, others),
        strict=True,
    ):
        if not found.shared:
            assert found.rival is None
            continue
        wanted = around(query.texts[row], found.alignment.query_span)
        value = best_value(words[other], wanted, words)[0]
        values = [
            (0.0, set()) if at == other else best_value(own, wanted, words)
            for at, own in enumerate(words)
        ]
        better = [v for v, lemmas in values if v > value * 1.5 + 2 and len(lemmas) > 1]
        assert (found.rival is not None) == bool(better)
        if found.rival is not None:
            rivals += 1
            assert values[source.index(found.rival.id)][0] == pytest.approx(max(better))
            assert set(found.rival.lemmas) <= set(words[source.index(found.rival.id)])
    assert rivals > 3


def content_lemmas(text):
    from locisimiles.latin import STOPWORDS

    lemmas = lemmatize([token.text for token in tokenize(text)], "fast")
    return [lemma for lemma in lemmas if lemma not in STOPWORDS and not lemma.isdigit()]


def around(text, span):
    """The lemmas of the aligned stretch and of five words on both sides."""
    tokens = tokenize(text)
    inside = [at for at, token in enumerate(tokens) if span[0] <= token.start < span[1]]
    near = tokens[max(inside[0] - 5, 0) : inside[-1] + 6]
    return set(content_lemmas(" ".join(token.text for token in near)))


def best_value(words, wanted, texts):
    """The rarest ten words in a row, of those that are wanted."""
    rarity = {
        lemma: np.log((len(texts) + 1) / (sum(lemma in text for text in texts) + 1))
        for lemma in wanted & set(words)
    }
    stretches = [set(words[at : at + 10]) & wanted for at in range(len(words))]
    return max(
        ((sum(rarity[lemma] for lemma in found), found) for found in stretches),
        key=lambda found: found[0],
        default=(0.0, set()),
    )


def with_a_rival(query_year, year, **other):
    texts = padded("omnia timenda sunt")
    segments = [Segment(f"s{at}", text) for at, text in enumerate(texts)]
    segments.append(Segment(**{"id": "better", "meta": {"year": year}, **other}, text=OMNIA))
    query = Document.from_segments([Segment("q", OMNIA, meta={"year": query_year})])
    finder = EvidenceFinder(query, Document.from_segments(segments))
    rival = finder.for_pairs([0], [0])[0].rival
    return rival and rival.id


@pytest.mark.parametrize(
    ("query_year", "year", "expected"),
    [
        ("", "", "better"), ("400", "", "better"), ("", "400", "better"),
        ("400", "400", "better"), ("400", "-19", "better"), ("400", "401", None),
    ],
)  # fmt: skip
def test_a_later_text_is_not_a_rival(query_year, year, expected):
    assert with_a_rival(query_year, year) == expected


def test_a_query_is_not_its_own_rival():
    assert with_a_rival("", "", id="q") is None


@pytest.mark.parametrize(("places", "is_rival"), [(122, True), (149, False)])
def test_a_rival_must_explain_rarer_words_by_a_margin(places, is_rival):
    # *omnis* is everywhere and worth nothing; log(1001 / 123) is 2.10, log(1001 / 150) is 1.90.
    texts = ["omnia", *["omnia tuta"] * places, *["omnis rosa"] * (999 - places)]
    assert (evidence("omnia tuta", *texts).rival is not None) == is_rival
