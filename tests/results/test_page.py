"""Results in a notebook."""

from lxml import html

from locisimiles import BM25, Pipeline, load_example_query, load_example_source

RESULTS = Pipeline(BM25(), k=3).run(load_example_query(), load_example_source())


def page(results):
    return html.fromstring(results._repr_html_())


def test_the_first_pairs_are_shown_with_their_words():
    shown = page(RESULTS)
    rows = shown.xpath("//tbody/tr")
    assert len(rows) == 20
    assert "first 20 are shown" in shown.xpath("string(//p)")
    for row, reference in zip(rows, RESULTS, strict=False):
        cells = [cell.text_content() for cell in row.xpath("td")]
        assert cells[-1] == reference.source.id + reference.source.text
        assert cells[1:3] == [str(reference.rank), f"{reference.score:.2f}"]
        assert len(row.xpath("td[last()]//mark")) >= len(reference.shared)


def test_words_that_answer_each_other_have_one_colour():
    one = RESULTS.filter(query="hier. epist. 130.5.5.3")[:1]
    styles = {side: {} for side in ("query", "source")}
    for side, place in (("query", "td[1]"), ("source", "td[last()]")):
        for mark in page(one).xpath(f"//tbody/tr/{place}//mark"):
            styles[side][mark.text] = mark.get("style")
    assert styles["query"]["haesit"] == styles["source"]["haesit"]
    assert styles["query"]["uox"] == styles["source"]["vox"]
    assert styles["query"]["uox"] != styles["query"]["haesit"]


def test_a_query_is_printed_once():
    texts = [row.xpath("string(td[1])") for row in page(RESULTS[:3]).xpath("//tbody/tr")]
    assert texts[0]
    assert texts[1:] == ["", ""]


def test_judged_results_have_a_type():
    judged = Pipeline(k=2).run(load_example_query()[:4], load_example_source())
    titles = [title.text for title in page(judged).xpath("//th")]
    assert titles == ["query", "rank", "probability", "type", "source"]


def test_no_results_are_shown_as_none():
    assert "0 candidates" in RESULTS[:0]._repr_html_()
