"""What a search found, as views ask for it."""

import re

import pytest

from locisimiles import BM25, InputError, ParameterError, Pipeline
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ORDERS, STATUSES, ResultFilter, ResultTable
from locisimiles.app.results.explanations import explanation_text
from locisimiles.examples import load_example_query, load_example_source


@pytest.fixture
def found(searched):
    return ResultTable(searched.database, "Ann")


def keys(page):
    return [(row["query_id"], row["source_id"]) for row in page.rows]


def test_the_rows_are_what_the_pipeline_finds(found):
    results = Pipeline(BM25(), k=5).run(query=load_example_query(), source=load_example_source())
    page = found.page(limit=1000)
    assert page.total == len(results)
    assert [(r["query_id"], r["source_id"], r["rank"], r["score"]) for r in page.rows] == [
        (r.query.id, r.source.id, r.rank, r.score) for r in results
    ]
    assert [row["shared"] for row in page.rows[:20]] == [
        " ".join(r.shared) for r, _ in zip(results, range(20), strict=False)
    ]


def test_pages_follow_each_other(found):
    whole = keys(found.page(limit=1000))
    parts = [keys(found.page(offset=at, limit=60)) for at in range(0, len(whole), 60)]
    assert [key for part in parts for key in part] == whole


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_has_all_rows_once_and_can_be_reversed(found, order):
    forwards = keys(found.page(order=order, limit=1000))
    backwards = keys(found.page(order=order, backwards=True, limit=1000))
    assert backwards == forwards[::-1]
    assert sorted(forwards) == sorted(keys(found.page(limit=1000)))


def test_filters_do_what_filtering_by_hand_does(found):
    rows = found.page(limit=1000, texts=True).rows
    cases = {
        ResultFilter(source_author="Virgil"): lambda r: r["source_author"] == "Virgil",
        ResultFilter(query_work="Epistulae"): lambda r: r["query_work"] == "Epistulae",
        ResultFilter(least_score=3.0): lambda r: r["score"] >= 3,
        ResultFilter(best=2): lambda r: r["rank"] <= 2,
        ResultFilter(most_rarity=2): lambda r: r["rarity"] is not None and r["rarity"] <= 2,
        ResultFilter(words="VOX"): lambda r: any(
            "uox" in re.findall(r"\w+", r[f"{side}_text"].lower().replace("v", "u"))
            for side in ("query", "source")
        ),
    }
    for selection, wanted in cases.items():
        kept = [r["row"] for r in rows if wanted(r)]
        assert 0 < len(kept) < len(rows)
        assert [r["row"] for r in found.page(selection, limit=1000).rows] == kept
        assert found.count(selection) == len(kept) == len(found.rows(selection))


@pytest.mark.parametrize("sign", ["%", "_", "[", "]", "^", "ß"])
def test_signs_are_no_words(found, sign):
    assert found.count(ResultFilter(words=sign)) == 0


@pytest.mark.parametrize("words", ["λόγο*", "λόγος", "ΛΌΓΟΣ", "écho", "JVLIVS", "iul*", "ß!"])
def test_capitals_match_in_every_alphabet(searched, found, words):
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE segment SET text = ? WHERE side = 'query' AND position = 0",
            ["ΛΌΓΟΣ Écho Iulius ß!"],
        )
    assert found.count(ResultFilter(words=words, query=0)) == 5


def test_too_many_letters_are_refused():
    with pytest.raises(ParameterError, match="more than 200 letters"):
        ResultFilter(words="a" * 201)


def test_a_status_is_the_readers_own(searched, found):
    rows = found.page(limit=6).rows
    judging = Judging(searched)
    for row, verdict in zip(rows, ["cit.", "cf.", "reject", "unsure"], strict=False):
        judging.judge(row["query_id"], row["source_id"], reader="Ann", verdict=verdict)
    judging.judge(rows[0]["query_id"], rows[0]["source_id"], reader="Bob", verdict="reject")
    counts = {status: found.count(ResultFilter(status=status)) for status in STATUSES}
    assert counts == {
        "unjudged": found.count() - 4, "judged": 4, "accepted": 2, "cit.": 1, "cf.": 1,
        "reject": 1, "unsure": 1, "disagreement": 1, "undecided": 1, "decided": 0,
    }  # fmt: skip
    assert ResultTable(searched.database, "Bob").count(ResultFilter(status="judged")) == 1
    assert [r["row"] for r in found.page(order="unjudged", limit=1).rows] == [5]


def test_a_note_alone_is_no_verdict(searched, found):
    row = found.page(limit=1).rows[0]
    Judging(searched).judge(row["query_id"], row["source_id"], reader="Ann", note="look up")
    assert found.count(ResultFilter(status="judged")) == 0
    assert found.page(limit=1).rows[0]["note"] == "look up"


def test_a_pair_has_its_texts_and_their_alignment(searched, found):
    Judging(searched).judge(
        "hier. epist. 130.5.5.3", "verg. aen. 2.774.1", reader="Bob", verdict="cit."
    )
    pair = found.pair(1)
    assert pair.row["source_id"] == "verg. aen. 2.774.1"
    words = [(pair.query_text[a:b], pair.source_text[c:d]) for a, b, c, d, _ in pair.alignment]
    assert words == [("haesit", "haesit"), ("uox", "vox"), ("faucibus", "faucibus")]
    assert explanation_text(pair.explanation).startswith("Shares haereo, uox, faux")
    bob = {"reader": "Bob", "verdict": "cit.", "note": "", "independent": True}
    assert (pair.others, pair.decision) == ([bob], None)


def test_an_unknown_row_is_an_error(found):
    with pytest.raises(InputError, match="no result 9999"):
        found.pair(9999)


def test_citations_are_counted(found):
    virgil = sum(link["count"] for link in found.links() if link["source_author"] == "Virgil")
    assert virgil == found.count(ResultFilter(source_author="Virgil"))
    assert sum(link["count"] for link in found.links(ResultFilter(best=1))) == found.count(
        ResultFilter(best=1)
    )


def test_the_text_knows_where_references_are(searched, found):
    row = found.pair(1).row
    Judging(searched).judge(row["query_id"], row["source_id"], reader="Ann", verdict="cf.")
    count, accepted, best = found.by_query()[0]
    assert (count, accepted) == (5, 1)
    assert best == row["score"]


def test_wrong_values_are_refused():
    with pytest.raises(ParameterError, match="unknown status 'lost'"):
        ResultFilter(status="lost")
    with pytest.raises(ParameterError, match="'many' is not a number"):
        ResultFilter.from_mapping({"best": "many"})


def test_an_unknown_order_is_refused(found):
    with pytest.raises(ParameterError, match="unknown order"):
        found.page(order="row; DROP TABLE result")


@pytest.mark.parametrize(
    "selection", [ResultFilter(), ResultFilter(best=2), ResultFilter(words="uox")]
)
def test_the_neighbour_is_the_next_row_that_meets_the_filter(found, selection):
    rows = found.rows(selection)
    assert [found.neighbour(row, selection) for row in rows] == [*rows[1:], None]
    assert [found.neighbour(row, selection, backwards=True) for row in rows] == [None, *rows[:-1]]
    for row in set(found.rows()) - set(rows):
        later = [one for one in rows if one > row]
        assert found.neighbour(row, selection) == (later[0] if later else None)


def test_pairs_are_found_by_their_source_the_best_first(found):
    every = found.page(limit=1000, texts=True).rows
    sources = sorted({row["source"] for row in every})
    first, last = sources[3], sources[9]
    near = found.by_source(first, last, limit=1000)
    expected = [row for row in every if first <= row["source"] <= last]
    assert {row["row"] for row in near} == {row["row"] for row in expected}
    scores = [row["score"] for row in near]
    assert scores == sorted(scores, reverse=True)
    assert near[0]["query_text"]
    assert found.by_source(first, last, limit=2) == near[:2]


@pytest.fixture
def guessed(searched):
    """Return results with probabilities, some of them equal or unknown, and some verdicts."""
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET probability = (row * 37 % 50) / 50.0, "
            "type = CASE WHEN row % 3 = 0 THEN 'cit.' ELSE 'cf.' END"
        )
        connection.execute("UPDATE result SET probability = NULL, type = NULL WHERE row % 20 = 0")
        connection.execute("UPDATE result SET rarity = NULL WHERE row % 7 = 0")
    rows = ResultTable(searched.database).page(limit=1000).rows
    for number, verdict in enumerate(["cit.", "cf.", "reject", "unsure", None, "cit."] * 4):
        row = rows[number * 5]
        Judging(searched).judge(
            row["query_id"], row["source_id"], reader="Ann", verdict=verdict, note="?"
        )
    return ResultTable(searched.database, "Ann")


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_pages_and_steps_agree_in_every_order(guessed, order, backwards):
    found, turned = guessed, {"order": order, "backwards": backwards}
    for wanted in (ResultFilter(), ResultFilter(source_author="Virgil", status="unjudged")):
        whole = found.rows(wanted, **turned)
        assert len(whole) == len(set(whole)) == found.count(wanted)
        pages = [
            [row["row"] for row in found.page(wanted, offset=at, limit=23, **turned).rows]
            for at in range(0, len(whole) + 23, 23)
        ]
        assert [row for page in pages for row in page] == whole
        back = {**turned, "backwards": not backwards}
        around = [None, *whole, None]
        for at in {*range(0, len(whole), 5), len(whole) - 1}:
            row = whole[at]
            assert found.neighbour(row, wanted, **turned) == around[at + 2]
            assert found.neighbour(row, wanted, **back) == around[at]
            assert found.position(row, wanted, **turned) == at
        others = sorted(set(found.rows()) - set(whole))[::5]
        assert {found.position(row, wanted, **turned) for row in others} <= {None}


def test_orders_say_what_comes_first(guessed):
    def column(name, order):
        return [row[name] for row in guessed.page(order=order, limit=1000).rows]

    known = [value for value in column("probability", "probability") if value is not None]
    assert known == sorted(known, reverse=True)
    assert column("probability", "probability")[len(known) :] == [None] * (210 - len(known))
    rarity = column("rarity", "rarity")
    assert rarity == sorted(rarity, key=lambda value: (value is None, value))
    for order in ("unjudged", "informative", "verdict"):
        judged = [value is not None for value in column("verdict", order)]
        assert sum(judged) == 20
        if order != "informative":  # pairs without a probability come last
            assert judged == sorted(judged)


def test_later_rows_are_left_out_until_asked_for(searched):
    early = ResultTable(searched.database, until=100)
    assert early.rows() == list(range(1, 101))
    assert early.page(order="score", offset=90, limit=50).total == 100
