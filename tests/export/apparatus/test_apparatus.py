"""An apparatus fontium in four formats: unchanged, well-formed, and safe."""

import re
import zipfile
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from lxml import etree

from locisimiles import Document
from locisimiles.errors import InputError, OutputError
from locisimiles.export import APPARATUS_SUFFIXES, write_apparatus
from locisimiles.export.apparatus import build_apparatus
from locisimiles.results import PairJudgement, ReaderJudgement

GOLDEN = Path(__file__).parent / "golden"
TEI = {"t": "http://www.tei-c.org/ns/1.0"}
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
EVIL = "</w:t><script>alert(1)</script> & \\input{/etc/passwd} 100% #1 \x00\x1b \u202eabc אבג ]]>"


def content_of(path):
    """Return what a file says; of a package, all its parts."""
    if path.suffix == ".docx":
        with zipfile.ZipFile(path) as archive:
            return "".join(f"{n}\n{archive.read(n).decode()}\n" for n in archive.namelist())
    style = (resources.files("locisimiles.export") / "data" / "apparatus.css").read_text("utf-8")
    return path.read_bytes().decode().replace(style, "[apparatus.css]\n")


@pytest.fixture
def evil(read):
    note = ReaderJudgement("cit.", EVIL, EVIL)
    return replace(read, judgements=(PairJudgement.of([note]), None, None))


@pytest.mark.parametrize("text", [True, False], ids=["text", "alone"])
@pytest.mark.parametrize("suffix", APPARATUS_SUFFIXES)
def test_a_file_is_unchanged(tmp_path, read, suffix, text):
    path = write_apparatus(read, tmp_path / f"fontes{suffix}", text=text)
    golden = GOLDEN / f"{'text' if text else 'alone'}{suffix}.txt"
    assert content_of(path) == golden.read_bytes().decode()


@pytest.mark.parametrize("text", [True, False])
def test_a_word_document_has_all_it_links_to(tmp_path, evil, text):
    path = write_apparatus(evil, tmp_path / "fontes.docx", text=text)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        parts = {name: etree.fromstring(archive.read(name)) for name in archive.namelist()}
    for name, folder in (("_rels/.rels", ""), ("word/_rels/document.xml.rels", "word/")):
        assert {folder + link.get("Target") for link in parts[name]} <= set(parts)
    types = {one.get("PartName") for one in parts["[Content_Types].xml"]} - {None}
    assert {name.lstrip("/") for name in types} <= set(parts)
    called = {
        e.get(f"{WORD}id") for e in parts["word/document.xml"].iter(f"{WORD}footnoteReference")
    }
    notes = {note.get(f"{WORD}id") for note in parts["word/footnotes.xml"]}
    assert notes == called | {"-1", "0"}
    assert len(called) == int(text)
    said = "".join(parts["word/footnotes.xml" if text else "word/document.xml"].itertext())
    assert "<script>alert(1)</script>" in said


def test_anchors_and_readers_of_tei_exist(tmp_path, evil):
    tree = etree.parse(write_apparatus(evil, tmp_path / "fontes.xml"))
    ids = set(tree.xpath("//@xml:id"))
    pointers = tree.xpath("//t:app/@from | //t:app/@to | //@resp", namespaces=TEI)
    assert pointers
    assert {one.removeprefix("#") for one in pointers} <= ids
    (note,) = tree.xpath("//t:listApp/t:app/t:note/t:note", namespaces=TEI)
    assert note.text.startswith("</w:t><script>")


def test_latex_commands_of_a_note_are_letters(tmp_path, evil):
    written = write_apparatus(evil, tmp_path / "fontes.tex").read_text("utf-8")
    assert r"\textbackslash{}input\{/etc/passwd\} 100\% \#1" in written
    assert r"\input" not in written
    assert not re.search("[\x00-\x08\x1b\u202a-\u202e]", written)
    bare = re.sub(r"\\[{}]", "", written)
    assert bare.count("{") == bare.count("}")


def test_html_needs_nothing_and_runs_nothing(tmp_path, evil):
    written = write_apparatus(evil, tmp_path / "fontes.html").read_text("utf-8")
    assert "default-src 'none'" in written
    assert "&lt;script&gt;" in written
    assert not re.search(r"<(script|link|img|iframe)|url\(|@import|\x00", written)


def test_readers_decide_and_not_the_classifier(judged, read):
    apparatus = build_apparatus(read)
    (entry,) = [entry for section in apparatus.sections for entry in section.entries]
    assert entry.lemma == "haesit uox faucibus"
    assert [one.text for one in entry.citations] == ["Verg. Aen. 3.48", "cf. Verg. Aen. 2.774"]
    with pytest.raises(InputError, match="no reference has been accepted"):
        build_apparatus(judged)


def test_a_table_written_by_hand_is_enough(judged):
    columns = {"verdict": ("", "CIT", "reject"), "note": ("", "see p. 3", "")}
    apparatus = build_apparatus(replace(judged, further=columns))
    assert (apparatus.verbatim, apparatus.allusions) == (1, 0)
    assert "see p. 3" in apparatus.sections[0].entries[0].text


@pytest.mark.parametrize("suffix", [".html", ".tex"])
def test_only_abbreviations_are_explained(tmp_path, judged, suffix):
    columns = {"verdict": ("", "CIT", "reject"), "note": ("", "", "")}
    texts = [replace(one, author="Petrarca", work="Africa", id=f"q{n}", locus=f"{n}", meta={})
             for n, one in enumerate(judged.source)]  # fmt: skip
    unknown = replace(judged, further=columns, source=Document.from_segments(texts))
    assert build_apparatus(unknown).abbreviations == ()
    written = write_apparatus(unknown, tmp_path / f"a{suffix}").read_text("utf-8")
    assert "Petrarca, Africa" in written
    assert "abbreviations" not in written
    known = write_apparatus(replace(judged, further=columns), tmp_path / f"b{suffix}")
    assert "abbreviations" in known.read_text("utf-8")


@pytest.mark.parametrize("language", ["de", "it", "fr"])
def test_headings_are_in_the_readers_language(tmp_path, read, language):
    written = write_apparatus(read, tmp_path / "a.html", language=language).read_text("utf-8")
    assert "Method<" not in written
    assert f'<html lang="{language}">' in written


def test_other_suffixes_are_unknown(tmp_path, read):
    with pytest.raises(OutputError, match="unknown suffix"):
        write_apparatus(read, tmp_path / "fontes.csv")
