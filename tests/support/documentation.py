"""What the examples of the documentation need: pages, code blocks, files with usual names."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from locisimiles import (
    Pipeline,
    load_example_query,
    load_example_source,
    write_results,
)

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<kind>[\w-]*)[^\n]*\n(?P<code>.*?)^ *```$", re.MULTILINE | re.DOTALL
)
_NOT_RUN = re.compile(r"<!-- not run: [^>]+ -->\s*$")
_TESS = "<verg. aen. 2.774>\tobstipui, steteruntque comae et vox faucibus haesit.\n"
_HORACE = "<hor. ars. 139>\tparturient montes, nascetur ridiculus mus.\n"
_LUCAN = "<luc. 1.1>\tbella per Emathios plus quam civilia campos\n"
_OVID = "<ov. met. 1.84>\tpronaque cum spectent animalia cetera terram\n"
_JEROME = (
    "haesit uox faucibus et inter ruborem atque pallorem cogitationes uariae mutabantur.\n"
    "parturiunt montes, nascitur ridiculus mus.\n"
)
_JUDGED = "query_id,source_id,verdict,reader\nhier. epist. 130.5.5.3,verg. aen. 2.774.1,cit.,Anna\n"
_TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>{title}</title><author>{author}</author></titleStmt></fileDesc></teiHeader>
<text><body><div n="130"><p n="5">haesit uox faucibus et inter ruborem atque pallorem mutabantur.
parturiunt montes, nascitur ridiculus mus.</p></div></body></text></TEI>"""


@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    page: Path
    line: int
    kind: str
    code: str
    run: bool


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block in _BLOCK.finditer(text):
        before = text[: block.start()]
        cut = len(block["indent"])
        code = "\n".join(line[cut:] for line in block["code"].splitlines())
        run = _NOT_RUN.search(before) is None
        found.append(Block(page, before.count("\n") + 1, block["kind"], code, run))
    return found


def make_files(folder: Path) -> None:
    """Write small files with the names that the documentation uses."""
    texts = {
        "letter.txt": _JEROME,
        "jerome.txt": _JEROME,
        "my.txt": _JEROME,
        "poem.txt": "arma virumque cano, Troiae qui primus ab oris\nItaliam fato profugus.\n",
        "letters.xml": _tei("Jerome", "Epistulae"),
        "sermons.xml": _tei("Jerome", "Sermones"),
        "lucan.xml": _tei("Lucan", "Bellum civile"),
        "statius.xml": _tei("Statius", "Thebais"),
        "horace.xml": _tei("Horace", "Ars poetica"),
        "lucan.tess": _LUCAN,
        "lucan": _LUCAN,
        "lucan.bellum_civile.part.1.tess": _LUCAN,
        "vergil.tess": _TESS,
        "vergil.aeneid.tess": _TESS,
        "vergil": _TESS,
        "horace.tess": _HORACE,
        "horace": _HORACE,
        "ovid": _OVID,
        "ovid.metamorphoses": _OVID,
        "my-texts/ovid.tess": _OVID,
        "judgements.csv": _JUDGED,
        "colleague.csv": _JUDGED,
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with zipfile.ZipFile(folder / "horace.zip", "w") as packed:
        packed.writestr("horace.tess", _HORACE)
    query, source = load_example_query(), load_example_source()
    example = ROOT / "src/locisimiles/examples/data"
    names = {"query.csv": ("query", "letters", "jerome"), "source.csv": ("source", "vergil")}
    for name, copies in names.items():
        for copy in copies:
            shutil.copy(example / name, folder / f"{copy}.csv")
    query, source = load_example_query(), load_example_source()
    results = Pipeline("bm25", k=3).run(query=query, source=source)
    for name in (
        "hits.csv",
        "hits.xlsx",
        "more.csv",
        "theirs.csv",
        "jerome-virgil.csv",
        "virgil-ennius.csv",
        "jerome-ennius.csv",
    ):
        write_results(results, folder / name)
    rows = (folder / "hits.csv").read_text(encoding="utf-8").splitlines()
    judged = [f"{rows[0]},verdict", *(f"{row},cit." for row in rows[1:])]
    (folder / "judged.csv").write_text("\n".join(judged) + "\n", encoding="utf-8")


def _tei(author: str, title: str) -> str:
    return _TEI.format(author=author, title=title)
