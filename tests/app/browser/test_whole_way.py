"""The whole way in a real browser: drop, search, judge, export, read in again."""

import csv
import io
import zipfile

QUERY = (
    "haesit uox faucibus et pallor ora tenebat.\n"
    "huic ego, ut ait gentilis poeta, omnia etiam tuta timeo.\n"
    "parturiunt montes, nascetur ridiculus mus.\n"
)
SOURCE = (
    "id,text,author,work\n"
    'verg. aen. 2.774.1,"obstipui, steteruntque comae et uox faucibus haesit.",Virgil,Aeneis\n'
    "verg. aen. 4.298.1,omnia tuta timens.,Virgil,Aeneis\n"
    'hor. ars 139.1,"parturient montes, nascetur ridiculus mus.",Horace,Ars poetica\n'
    "ou. met. 1.1,in noua fert animus mutatas dicere formas corpora.,Ovid,Metamorphoses\n"
)
DROP = """([selector, name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  const place = document.querySelector(selector);
  place.dispatchEvent(new DragEvent('dragover', {dataTransfer: files, bubbles: true}));
  return new Promise((done) => setTimeout(() => {
    const target = place.querySelector('.q-uploader__dnd') || place;
    target.dispatchEvent(new DragEvent('drop', {dataTransfer: files, bubbles: true}));
    done();
  }, 200));
}"""


def drop(page, side, name, text):
    page.locator(f".drop-{side}").wait_for()
    page.evaluate(DROP, [f".drop-{side}", name, text])
    page.get_by_text(name, exact=True).wait_for()


def choose_method(page, name):
    page.get_by_role("combobox", name="Method").click()
    page.get_by_role("option", name=name).first.click()


def press(page, key, until):
    page.keyboard.press(key)
    page.get_by_text(until).first.wait_for()


def import_table(page, content):
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Import judgements").click()
    page.locator(".import-table input[type=file]").set_input_files(
        {"name": "judgements.csv", "mimeType": "text/csv", "buffer": content}
    )


def test_from_two_files_to_reimported_judgements(page, running):
    page.goto(running.address)
    page.get_by_label("Title of a new project").fill("Letters of Jerome")
    page.get_by_role("button", name="Create project").click()
    drop(page, "query", "letter.txt", QUERY)
    drop(page, "source", "poets.csv", SOURCE)
    page.get_by_text("3 segments").wait_for()
    choose_method(page, "bm25 –")
    page.get_by_role("button", name="Start the search").click()
    page.locator(".candidate.chosen").wait_for()

    marks = page.locator(".query-card mark, .candidate.chosen .latin mark")
    colours = {}
    for mark in marks.all():
        colours.setdefault(mark.get_attribute("class"), []).append(mark.inner_text())
    assert ["uox", "uox"] in colours.values()
    assert page.locator(".candidate.chosen .why").inner_text().startswith("Shares ")

    press(page, "c", "1 judged")
    press(page, "f", "2 judged")
    press(page, "z", "1 judged")
    press(page, "f", "2 judged")
    page.keyboard.press("k")
    page.locator(".candidate.chosen .judge.cf[aria-pressed=true]").wait_for()
    page.keyboard.press("n")
    note = page.get_by_role("dialog").get_by_label("Note")
    note.fill("see Hagendahl 1958")
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Close", exact=True).click()
    page.locator(".own-note", has_text="Hagendahl").wait_for()

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloaded:
        page.get_by_text("Judgements and decisions of all readers").click()
    path = downloaded.value.path()
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert sorted(row["verdict"] for row in rows) == ["cf.", "cit."]
    assert [row["note"] for row in rows if row["verdict"] == "cf."] == ["see Hagendahl 1958"]

    press(page, "r", "2 judged")
    # The verdict given after the export is newer; without dates, those of the table count.
    import_table(page, path.read_bytes())
    page.get_by_text("0 new, 0 changed, 1 already known, 1 older").wait_for()
    undated = [f"{row['query_id']},{row['source_id']},{row['verdict']}" for row in rows]
    import_table(page, "\n".join(["query_id,source_id,verdict", *undated]).encode())
    page.get_by_text("0 new, 1 changed, 1 already known").wait_for()

    page.get_by_role("tab", name="Table").click()
    page.locator(".ag-cell[col-id=verdict]", has_text="cf.").wait_for()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloaded:
        page.get_by_text("(.csv)").first.click()
    assert downloaded.value.suggested_filename == "letters-of-jerome.csv"
    assert page.problems == []
    assert page.asked == {f"127.0.0.1:{running.port}"}


def test_an_unreadable_file_is_reported_and_left_out(page, running, ask):
    made = ask.post("/projects", json={"title": "Broken"}).json()["id"]
    page.goto(f"{running.address}/project/{made}")
    page.locator(".drop-query").wait_for()
    page.locator(".drop-query input[type=file]").set_input_files(
        {"name": "broken.xml", "mimeType": "text/xml", "buffer": b"<TEI><text>"}
    )
    message = page.locator(".q-notification").first
    message.wait_for()
    assert "broken.xml, row 1: the XML is broken" in message.inner_text()
    assert str(running.folder) not in message.inner_text()
    assert ask.get(f"/projects/{made}/texts/query").json()["inputs"] == []


def zipped(name, content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


BOMB = (
    b'<!DOCTYPE TEI [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;&a;">]>'
    b"<TEI><text><body><p>&b;</p></body></text></TEI>"
)
OUTSIDE = (
    b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b"<TEI><text><body><p>arma &x; cano.</p></body></text></TEI>"
)
REFUSED = {
    "climbing.zip": (zipped("../../evil.txt", "arma"), "a path that leads outside it"),
    "bomb.zip": (zipped("zeros.txt", b"0" * 30_000_000), "times its size"),
    "bomb.xml": (BOMB, "is built from other entities"),
    "picture.png": (
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)),
        "files of this kind",
    ),
    "half.csv": (b'id,text\na,"arma uirumque', "the table is broken"),
    "nothing.txt": (b"  \n ", "the file is empty"),
}


def test_hostile_files_are_refused_or_are_only_texts(page, running, ask):
    made = ask.post("/projects", json={"title": "Hostile"}).json()["id"]
    page.goto(f"{running.address}/project/{made}")
    field = page.locator(".drop-source input[type=file]")

    def give(name, content):
        page.locator(".drop-source").wait_for()
        field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})

    for name, (content, told) in REFUSED.items():
        give(name, content)
        message = page.locator(".q-notification", has_text=told).first
        message.wait_for()
        assert str(running.folder) not in message.inner_text()
        assert "/tmp" not in message.inner_text()
        assert ask.get(f"/projects/{made}/texts/source").json()["inputs"] == []
    give("outside.xml", OUTSIDE)
    page.get_by_text("1 segment", exact=True).wait_for()
    shown = ask.get(f"/projects/{made}/texts/source").json()
    assert "root:" not in shown["segments"][0]["text"]
    evil = "<img src=x onerror='window.attacked=1'>.txt"
    give(evil, b"arma uirumque cano.\n")
    page.get_by_text("2 segments").wait_for()
    assert page.evaluate("window.attacked") is None
    assert not (running.folder / "evil.txt").exists()
    assert not (running.folder.parent / "evil.txt").exists()


def test_a_budget_keeps_what_is_worth_reading_and_says_what_to_expect(page, running, ask):
    made = ask.post("/projects", json={"title": "Budget"}).json()["id"]
    for side, name, text in (("query", "q.txt", QUERY), ("source", "s.csv", SOURCE)):
        ask.put(f"/projects/{made}/texts/{side}/{name}", content=text.encode())
    page.goto(f"{running.address}/project/{made}")
    page.get_by_role("combobox", name="Results to keep").click()
    page.get_by_role("option", name="the most probable pairs").click()
    limit = page.get_by_label("Number of pairs")
    assert limit.input_value() == "100"
    for wrong, told in (
        ("", "the number of results to keep is missing"),
        ("0", "budget must be at least 1 (got 0)"),
    ):
        limit.fill(wrong)
        page.get_by_role("button", name="Start the search").click()
        page.locator(".q-notification", has_text=told).first.wait_for()
    limit.fill("4")
    page.get_by_role("button", name="Start the search").click()
    page.get_by_text("4 of 4 pairs").wait_for(timeout=60_000)
    page.get_by_text("references expected (90%:").first.wait_for()
    page.get_by_role("tab", name="Numbers").click()
    page.get_by_role("img", name="References expected").wait_for()
    # Nobody leaves before there is anything to see; NiceGUI stumbles over charts that never were.
    page.wait_for_function(
        "[...document.querySelectorAll('.chart')].every(chart => chart.querySelector('canvas'))"
    )
    told = ask.get(f"/projects/{made}/search").json()
    assert (told["parameters"]["budget"], told["references"]["pairs"]) == (4, 4)
    page.get_by_role("tab", name="Texts and search").click()
    page.get_by_text("done · 3 / 3 · about").wait_for()
    assert page.get_by_label("Number of pairs").input_value() == "4"
    assert page.problems == []
