"""The sentence about a pair: every claim in it is checked by other means."""

import json
import re
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import (
    Document,
    EvidenceFinder,
    Segment,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.corpus.citations import cite
from locisimiles.corpus.library import Catalogue
from locisimiles.evidence.explanation import join_clauses
from locisimiles.latin import STOPWORDS, Frequencies, fold_word, lemmatize, tokenize
from locisimiles.messages import Message
from locisimiles.models.vectors import shipped_vectors

QUERY, SOURCE = load_example_query(), load_example_source()
FINDER = EvidenceFinder(QUERY, SOURCE)
YEARS = {work.abbreviation: work.year for work in Catalogue.shipped().works.values()}
WINDOW, STRETCH = 5, 10
CLAUSES = []


def lemmas_of(text):
    return lemmatize([token.text for token in tokenize(text)], "fast")


def content(text):
    return [own for own in lemmas_of(text) if own not in STOPWORDS and not own.isdigit()]


CONTENT = [content(text) for text in SOURCE.texts]


def together(words, lemmas):
    if len(lemmas) == 1:
        return lemmas[0] in words
    places = [[at for at, word in enumerate(words) if word == lemma] for lemma in lemmas]
    return any(abs(a - b) <= WINDOW for a in places[0] for b in places[1])


def year_of(segment_id):
    return YEARS[re.match(r"\D+(?= \d)", segment_id)[0]]


def names(listed):
    """Return the words of a list, and how many more there are."""
    listed, _, more = listed.partition(" and ")
    return listed.split(", "), int(more.split(" ")[0]) if more else 0


def claim(pattern):
    """Register a check for sentences' clauses of a kind."""

    def register(check):
        CLAUSES.append((re.compile(pattern), check))
        return check

    return register


def check_sentence(evidence):
    """Check every clause of a sentence; each must be of a known kind, and true."""
    sentence = evidence.sentence
    assert sentence.endswith(".")
    kinds = defaultdict(int)
    for clause in sentence.removesuffix(".").split("; "):
        checks = [(found, check) for p, check in CLAUSES if (found := p.fullmatch(clause))]
        assert len(checks) == 1, clause
        found, check = checks[0]
        check(evidence, QUERY[evidence.query_id].text, SOURCE[evidence.source_id].text, found)
        kinds[check.__name__] += 1
    assert max(kinds.values()) == 1
    return set(kinds)


@claim("Shares no word")
def nothing_shared(evidence, query, source, _):  # noqa: ARG001
    assert not set(content(query)) & set(content(source))


@claim(r"Shares (?P<words>.+) \((?P<facts>.+)\)")
def words_shared(evidence, query, source, found):
    shared = set(content(query)) & set(content(source))
    named, more = names(found["words"])
    assert set(named) <= shared
    assert len(set(named)) + more == len(shared)
    facts = found["facts"].split(", ")
    assert facts.pop(0) == f"{len(shared)} word{'s' if len(shared) > 1 else ''}"
    # Which of repeated words are meant is what the alignment says; they must be the same words.
    pairs = []
    for pair in evidence.alignment.pairs:
        words = query[slice(*pair.query)], source[slice(*pair.source)]
        lemmas = lemmatize(words, "fast")
        if lemmas[0] == lemmas[1] and lemmas[0] in shared:
            pairs.append((pair.query, pair.source, lemmas[0], *map(fold_word, words)))
    assert {lemma for *_, lemma, _, _ in pairs} == shared
    if len(shared) > 1:
        sizes = []
        for text, spans in ((query, [p[0] for p in pairs]), (source, [p[1] for p in pairs])):
            stretch = text[min(spans)[0] : max(spans)[1]]
            sizes.append(len(tokenize(stretch)))
        assert facts.pop(0) == f"within {sizes[0]} words in the text and {sizes[1]} in the source"
        there = [source for _, source, *_ in sorted(pairs)]
        order = "the same" if there == sorted(there) else "another"
        assert facts.pop(0) == f"in {order} order"
    changed = {p[2] for p in pairs} - {p[2] for p in pairs if p[3] == p[4]}
    assert facts == ([f"{len(changed)} in another form"] if changed else [])


@claim("word for word: (?P<runs>.+)")
def verbatim(evidence, query, source, found):  # noqa: ARG001
    named = re.findall("“(.+?)”", found["runs"])
    assert named
    folded = " ".join(fold_word(token.text) for token in tokenize(source))
    for run in named:
        words = [fold_word(token.text) for token in tokenize(run)]
        assert len(words) > 1
        assert f" {' '.join(words)} " in f" {folded} "


@claim("similar in meaning: (?P<pairs>.+)")
def similar_words(evidence, query, source, found):  # noqa: ARG001
    check_meanings(query, source, found, 0.5999, 1.0001)


@claim("related in meaning: (?P<pairs>.+)")
def related_words(evidence, query, source, found):  # noqa: ARG001
    check_meanings(query, source, found, 0.4999, 0.6001)


def check_meanings(query, source, found, least, most):
    named, _ = names(found["pairs"])
    for pair in named:
        one, other = pair.split(" for ")
        assert one != other
        assert one in content(query)
        assert other in content(source)
        assert least <= shipped_vectors().similarity(one, other) <= most


@claim("the source is verse, the text prose")
def verse_in_prose(evidence, query, source, _):  # noqa: ARG001
    for document, text_id, is_verse in (
        (QUERY, evidence.query_id, False),
        (SOURCE, evidence.source_id, True),
    ):
        own = document[text_id]
        work = [s.text for s in document if (s.author, s.work) == (own.author, own.work)]
        assert (sum("/" in text for text in work) >= 0.3 * len(work)) == is_verse


@claim(
    r"the source is later than the text, as far as we know \((?P<source>\d+) and (?P<query>\d+)\)"
)
def later_source(evidence, query, source, found):  # noqa: ARG001
    years = year_of(evidence.source_id), year_of(evidence.query_id)
    assert years == (int(found["source"]), int(found["query"]))
    assert years[0] > years[1]


@claim(
    r"(?:the pair (?P<pair>\S+–\S+) stands together|(?P<one>\S+) stands) "
    r"(?:(?P<nowhere>nowhere else) in|in (?P<count>[\d,]+) other places? of) "
    r"(?P<segments>[\d,]+) segments(?:, (?P<first>first in )?(?P<place>.+))?"
)
def other_places(evidence, query, source, found):
    lemmas = found["pair"].split("–") if found["pair"] else [found["one"]]
    assert together(content(query), lemmas)
    assert together(content(source), lemmas)
    rows = [
        row
        for row, words in enumerate(CONTENT)
        if together(words, lemmas) and SOURCE.ids[row] != evidence.source_id
    ]
    assert int(found["segments"].replace(",", "")) == len(SOURCE)
    assert int((found["count"] or "0").replace(",", "")) == len(rows)
    assert bool(found["nowhere"]) == (not rows)
    if rows:
        places = [SOURCE.ids[row] for row in rows]
        named = [place for place in places if cite(SOURCE[place]) == found["place"]]
        assert named
        assert year_of(named[0]) == min(map(year_of, places))
        assert bool(found["first"]) == (len(places) > 1)


@claim(
    r"(?P<pair>\S+–\S+) may be a common expression: they stand together in about (?P<count>[\d,]+) "
    r"of (?P<sentences>[\d,]+) Latin sentences"
)
def common_in_latin(evidence, query, source, found):  # noqa: ARG001
    background = Frequencies.shipped()
    count = background.pair_count(*found["pair"].split("–"))
    assert count >= 150
    assert found["count"] == f"{count:,}"
    assert found["sentences"] == f"{background.sentences:,}"


@claim(
    r"(?P<pair>\S+–\S+) may be a common expression: they stand together in (?P<count>[\d,]+) "
    r"segments by (?P<authors>\d+) authors"
)
def common_in_the_source(evidence, query, source, found):  # noqa: ARG001
    rows = [row for row, words in enumerate(CONTENT) if together(words, found["pair"].split("–"))]
    assert int(found["count"].replace(",", "")) == len(rows)
    assert int(found["authors"]) == len({SOURCE.authors[row] for row in rows})


@claim(r"(?P<id>.+) explains the words better: (?P<better>.+) instead of (?P<own>.+)")
def better_source(evidence, query, source, found):
    better, more = names(found["better"])
    own, own_more = ([], 0) if found["own"] == "none" else names(found["own"])
    assert set(better) | set(own) <= set(content(query))
    assert in_a_stretch(content(source), own)
    rivals = [one.id for one in SOURCE if cite(one) == found["id"]]
    assert any(in_a_stretch(content(SOURCE[rival].text), better) for rival in rivals)
    if not more and not own_more:
        assert rarity(better) > 1.5 * rarity(own) + 2
    assert set(rivals) - {evidence.source_id}
    assert year_of(rivals[0]) <= year_of(evidence.query_id)


def in_a_stretch(words, wanted):
    return any(set(wanted) <= set(words[at : at + STRETCH]) for at in range(max(len(words), 1)))


def rarity(lemmas):
    from math import log

    counts = [sum(lemma in words for words in CONTENT) for lemma in lemmas]
    return sum(log((len(SOURCE) + 1) / (count + 1)) for count in counts)


@claim("the text has (?P<phrases>.+) nearby")
def attribution(evidence, query, source, found):  # noqa: ARG001
    for phrase in re.findall("“(.+?)”", found["phrases"]):
        assert re.search(rf"\b{re.escape(phrase)}\b", query)


@claim("the words stand in quotation marks")
def quotation_marks(evidence, query, source, _):  # noqa: ARG001
    text = re.sub(r"(?<=\w)'(?=\w)", "", query)
    parts = re.split("[«»“”\"‘’„‹›']", text)
    words = [query[slice(*span)] for span in evidence.alignment.query_words]
    assert any(all(word in part for word in words) for part in parts[1::2])


@claim("some of the words stand in quotation marks")
def some_in_quotation_marks(evidence, query, source, _):  # noqa: ARG001
    assert re.search("[«“\"‘„‹']", query)


@claim("(?P<authors>.+) (?:is|are) named(?P<near> near the words)?")
def named_authors(evidence, query, source, found):  # noqa: ARG001
    assert bool(found["near"]) == (
        found["authors"] == "no author" and bool(evidence.alignment.pairs)
    )
    if found["authors"] == "no author":
        assert not re.search(
            r"\b(Tulli|Cicero|Maro|V[ei]rgili|Horati|Flacc)\w*\b", near(evidence, query)
        )
    else:
        stems = {"Cicero": "Tulli|Cicero", "Virgil": "Maro|[VU][ei]rgili", "Horace": "Horati|Flacc"}
        for author in found["authors"].split(", "):
            assert re.search(stems.get(author, author[:4]), query)


@claim("(?P<author>.+) is the author of the source")
def author_of_the_source(evidence, query, source, found):  # noqa: ARG001
    author = SOURCE[evidence.source_id].author
    assert found["author"] in ("this", author)
    assert re.search(rf"\b{author}\b.* named; ", evidence.sentence)


def near(evidence, query):
    """The words of the query within twelve of the aligned stretch."""
    tokens = tokenize(query)
    span = evidence.alignment.query_span or (0, len(query) + 1)
    inside = [at for at, token in enumerate(tokens) if span[0] <= token.start < span[1]]
    aligned = set(evidence.alignment.query_words)
    kept = tokens[max(min(inside, default=0) - 12, 0) : max(inside, default=0) + 13]
    return " ".join(token.text for token in kept if (token.start, token.end) not in aligned)


@settings(deadline=None, max_examples=120)
@given(st.integers(0, len(QUERY) - 1), st.integers(0, len(SOURCE) - 1))
def test_every_claim_about_any_pair_is_true(query, source):
    check_sentence(FINDER.for_pairs([query], [source])[0])


def test_every_claim_about_known_references_is_true():
    seen = set()
    for reference in load_example_ground_truth():
        seen |= check_sentence(FINDER.explain(reference.query_id, reference.source_id))
    assert seen >= {
        "words_shared",
        "verse_in_prose",
        "other_places",
        "common_in_latin",
        "attribution",
        "named_authors",
        "related_words",
    }


def test_claims_about_other_pairs_are_of_all_kinds():
    rows = range(len(QUERY))
    found = FINDER.for_pairs(rows, [(row * 7 + 3) % len(SOURCE) for row in rows])
    assert set().union(*map(check_sentence, found)) >= {"nothing_shared", "better_source"}


def sentence(query, *sources, library=None):
    segments = [Segment(f"s{at}", text) for at, text in enumerate(sources)]
    documents = (
        Document.from_segments([Segment("q", query)]),
        Document.from_segments(segments),
    )
    return EvidenceFinder(*documents, library=library).for_pairs([0], [0])[0].sentence


@pytest.mark.parametrize(
    ("query", "sources", "expected"),
    [
        ("uox", ["rosa"], "Shares no word; no author is named."),
        (
            "uox",
            ["uocem"],
            (
                "Shares uox (1 word, 1 in another form); uox stands nowhere else in 1 segment; "
                "no author is named near the words."
            ),
        ),
        (
            "Tullius inquit: «haesit uox»",
            ["uox et haesit", "uox haeret"],
            (
                "Shares haereo, uox (2 words, within 2 words in the text and 3 in the source, "
                "in another order); the pair haereo–uox stands together in 1 other place of "
                "2 segments, s1; the text has “inquit” nearby; "
                "the words stand in quotation marks; Cicero is named."
            ),
        ),
        (
            "metuunt arma Maronis et Nasonis",
            ["arma timent", "arma", "arma"],
            (
                "Shares arma (1 word); similar in meaning: metuo for timeo; "
                "arma stands in 2 other places of 3 segments; Virgil, Ovid are named."
            ),
        ),
    ],
)
def test_whole_sentences(query, sources, expected):
    assert sentence(query, *sources) == expected


def test_the_library_is_named_where_it_was_counted():
    library = Document.from_segments([Segment("l1", "uox"), Segment("l2", "rosa")])
    assert (
        "uox stands in 1 other place of 1 segment of the source and 2 of the library, l1;"
        in sentence("uox", "uox", library=library)
    )


@pytest.mark.parametrize(
    ("author", "end"),
    [
        ("Virgil", "Virgil is named; this is the author of the source."),
        ("Ovid", "Virgil is named."),
        ("", "Virgil is named."),
    ],
)
def test_the_sentence_says_whether_the_author_of_the_source_is_named(author, end):
    query = Document.from_segments([Segment("q", "apud Maronem uox haesit")])
    source = Document.from_segments([Segment("s", "uox haesit", author=author)])
    found = EvidenceFinder(query, source).explain("q", "s")
    assert found.sentence.endswith(end)
    assert found.names_source_author == (author == "Virgil")


def test_of_several_named_authors_that_of_the_source_is_given():
    query = Document.from_segments([Segment("q", "Maro et Naso: uox haesit")])
    source = Document.from_segments([Segment("s", "uox haesit", author="Ovid")])
    found = EvidenceFinder(query, source).explain("q", "s").sentence
    assert found.endswith("Virgil, Ovid are named; Ovid is the author of the source.")


def test_long_lists_are_cut():
    text = "uox rosa mare silua arma pectus saxum nauis"
    assert sentence(text, text).startswith(
        "Shares uox, rosa, mare, silua, arma, pectus and 2 more (8 words,"
    )


def explained(query, *sources):
    documents = Document.from_segments([query]), Document.from_segments(sources)
    return EvidenceFinder(*documents, meanings=None).for_pairs([0], [0])[0].sentence


def test_one_word_that_is_repeated_has_no_order():
    assert sentence("omnes omnia", "omnia omnes").startswith("Shares omnis (1 word); omnis stands")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("'haesit uox' inquit", "the words stand in quotation marks"),
        ("'haesit' inquit 'uox'", "the words stand in quotation marks"),
        ("'haesit', et uox", "some of the words stand in quotation marks"),
        ("haesit 'ibi' uox", None),
        ("haesit uox: 'ibi'", None),
        ("audin' haesit uox men'", None),
    ],
)
def test_words_stand_in_quotation_marks_or_some_of_them(query, said):
    found = [one for one in sentence(query, "uox haesit").split("; ") if "marks" in one]
    assert found == ([said] if said else [])


def test_a_later_source_is_reported():
    query = Segment("q", "uox haesit", author="Valerius Flaccus", work="Argonautica")
    later, earlier = (
        Segment("s", "uox haesit", author=author, work=work)
        for author, work in (("Statius", "Thebais"), ("Virgil", "Aeneis"))
    )
    assert "; the source is later than the text, as far as we know (92 and 90);" in explained(
        query, later
    )
    assert "later" not in explained(query, earlier)
    assert "later" not in explained(Segment("q", "uox haesit"), later)


def test_the_first_place_is_the_first_of_known_date():
    places = [
        Segment("s", "uox haesit"), Segment("a", "uox haesit", meta={"year": "20"}),
        Segment("b", "uox haesit", meta={"year": "10"}),
    ]  # fmt: skip
    query = Segment("q", "uox haesit")
    assert "in 2 other places of 3 segments, first in b;" in explained(query, *places)
    unknown = [*places, Segment("c", "uox haesit", author="Virgil")]
    assert "in 3 other places of 4 segments, first in b, as far as dates are known;" in explained(
        query, *unknown
    )


def shares(*lemmas):
    facts = [
        Message("evidence.words", {"count": len(lemmas)}),
        Message("evidence.order_same"),
    ]
    return Message("evidence.shares", {"lemmas": list(lemmas), "facts": facts})


@pytest.mark.parametrize(
    ("lemmas", "said"),
    [
        ("a", "Shares a (1 word, in the same order)."),
        ("abcdef", "Shares a, b, c, d, e, f (6 words, in the same order)."),
        ("abcdefgh", "Shares a, b, c, d, e, f and 2 more (8 words, in the same order)."),
    ],
)
def test_long_lists_are_cut_and_singulars_are_used(lemmas, said):
    assert join_clauses([shares(*lemmas)]) == said


def test_numbers_follow_the_language():
    pool = Message("evidence.pool", {"count": 1234567})
    nowhere = Message("evidence.nowhere_word", {"lemmas": "uox", "pool": pool})
    assert join_clauses([nowhere]) == "uox stands nowhere else in 1,234,567 segments."
    assert "1\u202f234\u202f567" in join_clauses([nowhere], "it")


@given(st.lists(st.text(max_size=8), min_size=1, max_size=9), st.text(max_size=8))
def test_stored_messages_give_the_same_sentence(lemmas, author):
    messages = [shares(*lemmas), Message("evidence.source_author", {"author": author})]
    again = [Message.from_json(json.loads(json.dumps(one.as_json()))) for one in messages]
    assert again == messages
    assert join_clauses(again) == join_clauses(messages)
