"""Words over the REST API."""

from tests.app.test_api import ask, context  # noqa: F401 - fixtures


def test_a_word_has_lemmas_entries_and_frequencies(ask):  # noqa: F811
    word = ask("GET", "/words/virumque").json()
    assert [part["form"] for part in word["parts"]] == ["virum", "que"]
    lemma = word["parts"][0]["lemmas"][0]
    assert lemma["lemma"] == "uir"
    assert lemma["entries"][0]["headword"] == "vir"
    assert lemma["entries"][0]["senses"][0] == "man"
    assert 0 < lemma["sentences"] < word["all_sentences"]
    assert ask("GET", "/words/%21").status_code == 400
