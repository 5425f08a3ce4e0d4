"""Messages as the tables store them, and the sentences of earlier versions."""

from hypothesis import given
from hypothesis import strategies as st

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.status import search_status
from locisimiles.app.storage.stored_messages import dump_messages, load_messages
from locisimiles.errors import InputError
from locisimiles.messages import Message

ERROR = InputError("files.table_broken", file="q.csv", row=3, reason="…")


def test_messages_are_read_as_they_were_stored():
    messages = [ERROR.as_message(), Message("app.texts_changed")]
    assert load_messages(dump_messages(messages)) == messages
    assert load_messages(dump_messages([])) == load_messages("") == []


def test_an_error_keeps_its_place_in_every_language():
    (stored,) = load_messages(dump_messages([ERROR.as_message()]))
    for language in ("en", "de", "fr", "it"):
        assert stored.text(language) == ERROR.text(language)


@given(st.text(min_size=1) | st.sampled_from(["[]x", '["a"]', "[1]", '{"a": 1}', "null", "5"]))
def test_any_other_text_is_shown_as_it_is(text):
    assert "".join(message.text("de") for message in load_messages(text)) in (text, "")
    assert load_messages(text) or text == "[]"


def test_a_project_of_an_earlier_version_shows_its_english_sentences(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE search SET state = 'failed', message = 'it broke; try again'")
        connection.execute("INSERT INTO remark VALUES ('query', 0, 'a.csv: 1 row skipped')")
    again = ProjectCollection(searched.database.storage).open(searched.id)
    assert search_status(again).message.text("de") == "it broke; try again"
    assert [one.text("fr") for one in again.texts.remarks("query")] == ["a.csv: 1 row skipped"]
