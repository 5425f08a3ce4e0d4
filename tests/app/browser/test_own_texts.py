"""Texts that readers paste or upload, and what they say about them."""

import io
import zipfile

import pytest

ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "META-INF/manifest.xml": "<manifest/>",
    "content.xml": '<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:text>'
    "<t:p>Omnia uincit amor.</t:p><t:p>Et nos cedamus amori.</t:p>"
    "</o:text></o:body></o:document-content>",
}
PAGE = (
    "<!DOCTYPE html><html><head><title>Eclogae</title><script>window.attacked = 1</script></head>"
    "<body><nav>Home</nav><p>Tityre, tu patulae recubans sub tegmine fagi.</p></body></html>"
)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@pytest.fixture
def opened(page, running, ask):
    """Return the id of an empty project whose page is open."""
    made = ask.post("/projects", json={"title": "Own texts"}).json()["id"]
    page.goto(f"{running.address}/project/{made}")
    page.locator(".drop-query").wait_for()
    return made


def test_a_text_is_pasted_with_author_work_and_date(page, opened, ask):
    page.locator(".paste-query").click()
    card = page.locator(".text-card")
    card.get_by_role("button", name="Add the text").click()
    card.get_by_text("There is no text here yet.").wait_for()
    card.get_by_label("Text", exact=True).fill("Haesit uox faucibus.\nOmnia tuta timeo.\n")
    card.get_by_label("Author").fill("Jerome")
    card.get_by_label("Work").fill("Epistulae")
    card.get_by_label("Date").fill("Augustan")
    card.get_by_role("button", name="Add the text").click()
    card.get_by_text("'Augustan' is no year").wait_for()
    card.get_by_label("Date").fill("AD 414")
    card.get_by_role("button", name="Add the text").click()
    card.wait_for(state="detached")
    page.get_by_text("Jerome, Epistulae, AD 414").wait_for()
    texts = ask.get(f"/projects/{opened}/texts/query").json()
    assert texts["inputs"] == ["Jerome, Epistulae.txt"]
    assert {(one["author"], one["work"]) for one in texts["segments"]} == {("Jerome", "Epistulae")}
    assert page.problems == []


@pytest.mark.usefixtures("opened")
def test_escape_closes_the_dialog_only_while_it_is_empty(page):
    page.locator(".paste-query").click()
    card = page.locator(".text-card")
    card.get_by_label("Text", exact=True).fill("Haesit uox faucibus.")
    page.wait_for_timeout(500)
    page.keyboard.press("Escape")
    page.wait_for_timeout(500)
    assert card.get_by_label("Text", exact=True).input_value() == "Haesit uox faucibus."
    card.get_by_label("Text", exact=True).fill("")
    page.wait_for_timeout(500)
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert page.problems == []


def packed(parts):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_facts_about_a_document_are_entered_after_it_was_dropped(page, opened, ask):
    text = "<w:p><w:r><w:t>Arma uirumque cano.</w:t></w:r></w:p>"
    body = f"<w:document {W}><w:body>{text}</w:body></w:document>"
    document = packed({"word/document.xml": body})
    page.locator(".drop-source input[type=file]").set_input_files(
        {"name": "poem.docx", "mimeType": "application/zip", "buffer": document}
    )
    page.get_by_role("button", name="Author, work and date of poem.docx").click()
    card = page.locator(".text-card")
    card.get_by_label("Author").fill("Virgil")
    card.get_by_label("Work").fill("Aeneis")
    card.get_by_role("button", name="Save").click()
    page.locator(".facts", has_text="Virgil, Aeneis").wait_for()
    (segment,) = ask.get(f"/projects/{opened}/texts/source").json()["segments"]
    assert (segment["author"], segment["text"]) == ("Virgil", "Arma uirumque cano.")
    assert page.problems == []


def test_documents_of_libreoffice_and_web_pages_are_read(page, opened, ask):
    files = {"poem.odt": packed(ODT), "eclogue.html": PAGE.encode()}
    for number, (name, content) in enumerate(files.items(), start=1):
        page.locator(".drop-source input[type=file]").set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
        page.get_by_text(name, exact=True).wait_for()
        page.locator(".input-line").nth(number - 1).wait_for()
    texts = [one["text"] for one in ask.get(f"/projects/{opened}/texts/source").json()["segments"]]
    assert texts[:2] == ["Omnia uincit amor.", "Et nos cedamus amori."]
    assert "Tityre, tu patulae recubans sub tegmine fagi." in texts
    assert not [text for text in texts if "attacked" in text]
    assert page.evaluate("window.attacked") is None
    assert page.problems == []


LATE = {"name": "late.txt", "mimeType": "text/plain", "buffer": b"Omnia tuta timeo. " * 9}
EARLY = {"name": "early.txt", "mimeType": "text/plain", "buffer": b"Haesit uox faucibus."}


@pytest.fixture
def late(page):
    """Hold the upload of one file back until another has been read and is shown."""

    def hold(route):
        if b"late.txt" in route.request.post_data_buffer:
            page.locator(".drop-source .q-uploader__file--uploaded").wait_for(state="detached")
            page.locator(".input-line", has_text="early.txt").wait_for()
            page.wait_for_timeout(300)  # what the server sends after it has drawn the line
        route.continue_()

    page.route("**/upload/**", hold)


@pytest.mark.usefixtures("late")
def test_a_file_that_has_arrived_does_not_cut_off_another(page, opened, ask):
    page.locator(".drop-source input[type=file]").set_input_files([LATE, EARLY])
    page.locator(".input-line", has_text="late.txt").wait_for()
    assert set(ask.get(f"/projects/{opened}/texts/source").json()["inputs"]) == {
        "early.txt",
        "late.txt",
    }
    page.locator(".drop-source .q-uploader__file").wait_for(state="detached")
    assert page.problems == []


@pytest.mark.usefixtures("opened")
def test_an_upload_that_breaks_off_is_reported(page):
    page.route("**/upload/**", lambda route: route.abort())
    page.locator(".drop-source input[type=file]").set_input_files(EARLY)
    notice = page.get_by_text("The upload broke off.").first
    notice.wait_for()
    assert "choose the file again" in notice.inner_text()


def test_the_api_takes_facts_with_a_file(opened, ask):
    place = f"/projects/{opened}/texts/query/a.txt"
    sent = ask.put(place, params={"author": "Jerome", "year": "414"}, content="Haesit uox.")
    assert sent.json()["segments"][0]["author"] == "Jerome"
    assert ask.put(place, params={"year": "late"}, content="Haesit uox.").status_code == 400
