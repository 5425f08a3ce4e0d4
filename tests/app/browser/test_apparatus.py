"""From verdicts to an apparatus fontium, in a real browser."""

import re
import shutil
import subprocess
import zipfile

import pytest
from lxml import etree

TEI = {"t": "http://www.tei-c.org/ns/1.0"}
FORMATS = {
    ".docx": "Word (.docx)",
    ".tex": "LaTeX (.tex)",
    ".html": "For print (.html)",
    ".xml": "TEI (.xml)",
}


@pytest.fixture
def written(page, running, example, ask, tmp_path):
    """Judge three pairs, and return the apparatus in all formats, as files."""
    rows = ask.get(f"/projects/{example}/results", params={"best": 1}).json()["rows"]
    for row, verdict in zip(rows, ("cit.", "cf.", "reject"), strict=False):
        pair = {name: row[name] for name in ("query_id", "source_id")}
        note = f"<b>note</b> on {verdict} & 50% of it"
        ask.put(f"/projects/{example}/judgements", json={**pair, "verdict": verdict, "note": note})
    page.goto(f"{running.address}/project/{example}")
    page.get_by_text("3 judged").wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Apparatus fontium…").click()
    files = {}
    for suffix, label in FORMATS.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"{example}-apparatus{suffix}"
        files[suffix] = tmp_path / f"apparatus{suffix}"
        download.value.save_as(files[suffix])
    assert not page.problems
    return files


def words_of(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def test_two_verdicts_become_an_apparatus_in_four_formats(written):
    with zipfile.ZipFile(written[".docx"]) as archive:
        footnotes = etree.fromstring(archive.read("word/footnotes.xml"))
        document = archive.read("word/document.xml").decode()
    tree = etree.parse(written[".xml"])
    (listed,) = tree.xpath("//t:listApp", namespaces=TEI)
    body = etree.HTML(written[".html"].read_bytes())
    told = {
        ".docx": words_of(footnotes),
        ".xml": words_of(listed),
        ".html": words_of(body.find("body")),
    }
    for suffix, text in told.items():
        assert "Verg. Aen." in text, suffix
        for verdict in ("cit.", "cf."):
            assert f"<b>note</b> on {verdict} & 50% of it" in text, suffix
        assert "on reject" not in text, suffix
    assert document.count("w:footnoteReference ") == 2
    assert len(tree.xpath("//t:listApp/t:app", namespaces=TEI)) == 2
    ids = set(tree.xpath("//@xml:id"))
    assert {one[1:] for one in tree.xpath("//t:app/@from | //t:app/@to", namespaces=TEI)} <= ids
    assert body.findall(".//script") == []


def test_latex_marks_lemmas_in_the_text_and_escapes_notes(written):
    latex = written[".tex"].read_text(encoding="utf-8")
    assert r"\usepackage[series={A},noend,noeledsec,noledgroup]{reledmac}" in latex
    assert len(re.findall(r"\\edtext\{", latex)) == len(re.findall(r"\\Afootnote\{", latex)) == 2
    assert latex.count(r"\beginnumbering") == latex.count(r"\endnumbering") > 0
    assert latex.count(r"\pstart") == latex.count(r"\pend") == latex.count(r"\beginnumbering")
    assert (
        r"\textless{}b\textgreater{}note\textless{}/b\textgreater{} on cf. \& 50\% of it" in latex
    )
    bare = re.sub(r"\\[{}]", "", latex)
    assert bare.count("{") == bare.count("}")


@pytest.mark.slow
def test_latex_is_set(written, tmp_path):
    engine = shutil.which("lualatex")
    if engine is None or not _has_reledmac():
        pytest.skip(
            "needs LuaLaTeX with reledmac: apt-get install texlive-luatex texlive-humanities"
        )
    for _ in range(2):
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape",
             f"-output-directory={tmp_path}", written[".tex"]],
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:]
    assert written[".tex"].with_suffix(".pdf").read_bytes()[:5] == b"%PDF-"


def _has_reledmac():
    found = subprocess.run(["kpsewhich", "reledmac.sty"], capture_output=True, check=False)
    return found.returncode == 0


def test_without_a_verdict_the_app_says_what_is_missing(page, running, example):
    page.goto(f"{running.address}/project/{example}")
    page.locator(".candidate.chosen").wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Apparatus fontium…").click()
    page.get_by_role("button", name="Word (.docx)").click()
    page.get_by_text("no reference has been accepted yet").first.wait_for()
    assert page.problems == []
