"""What the catalogue says of the works, beside what their publishers say.

    python benchmarks/catalogue.py ../shared/library ../shared/corpora

Every edition of Perseus and Tesserae: is it in the catalogue, with the hash of its file and the URN
of the work, and do author and title as their publisher writes them (in a list, in the name of the
file) find the work? Then the authors in the headers of the TEI files at hand. What differs is
printed: each is a slip of the publisher, another title, or a fault of ours. Writes
``benchmarks/results/catalogue.json``.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from harness import parser, print_table, save_results
from locisimiles.corpus.library import Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEI = "{http://www.tei-c.org/ns/1.0}"
_DATES = re.compile(r"\s*\d{1,4}\s*-\s*\d{1,4}$")  # which Corpus Corporum adds to authors
_PART = re.compile(r"\.part\.\d+$")
Found = tuple[str, str, str, str]  # kind, work of ours, author, title


def listed(path: Path) -> list[dict[str, str]]:
    """Return the rows of a list of public texts."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def perseus(catalogue: Catalogue, library: Path) -> Iterator[Found]:
    """Compare the editions of Perseus: file, URN, author and title."""
    known = {edition.path: edition for text in catalogue for edition in text.files}
    for row in listed(library / "perseus.tsv"):
        edition = known.get(row["path"])
        if edition is None or (edition.sha256, edition.size) != (row["sha256"], int(row["bytes"])):
            yield "another file", row["path"], row["author"], row["title"]
            continue
        work = catalogue.works[edition.work]
        if not row["urn"].rpartition(":")[2].startswith(f"{work.urn}."):
            yield "another URN", work.name, row["urn"], work.urn
        elif not row["author"] or not row["title"]:
            yield "without a name", work.name, row["author"], row["title"]
        else:
            same = catalogue.names.work_of(row["author"], row["title"]) == work
            yield "same" if same else "another name", work.name, row["author"], row["title"]


def tesserae(catalogue: Catalogue, library: Path) -> Iterator[Found]:
    """Compare the texts of Tesserae: file, and the author and title in its name."""
    known = {edition.path: edition for text in catalogue for edition in text.files}
    for row in listed(library / "tesserae.tsv"):
        name = row["path"].rpartition("/")[2]
        author, _, title = name.removesuffix(".tess").partition(".")
        edition = known.get(name)
        if edition is None or edition.sha256 != row["sha256"]:
            yield "another file", name, author, title
            continue
        work = catalogue.works[edition.work]
        plain = _PART.sub("", title).replace("_", " ")
        found = catalogue.names.work_of(author.replace("_", " "), plain)
        yield "same" if found == work else "another name", work.name, author, title


def headers(catalogue: Catalogue, corpora: Path) -> Iterator[Found]:
    """Compare the headers of TEI files that the catalogue has by name."""
    for path in sorted(corpora.glob("tei/**/*.xml")):
        edition = catalogue.file_called(path.stem)
        if edition is None:
            continue
        work = catalogue.works[edition.work]
        tree = etree.parse(path, etree.XMLParser(recover=True, resolve_entities=False))
        author, title = (_DATES.sub("", _first(tree, tag)) for tag in ("author", "title"))
        named = {one.author_name for one in catalogue.names.find(author)} if author else set()
        kind = "same" if work.author_name in named else "another name"
        yield kind if author else "without a name", work.name, author, title


def _first(tree: etree._ElementTree, tag: str) -> str:
    for element in tree.iter(f"{_TEI}{tag}", tag):
        return " ".join("".join(map(str, element.itertext())).split())
    return ""


def main() -> None:
    """Compare, print what differs, and save the counts."""
    options = parser(__doc__ or "")
    options.add_argument("library", type=Path)
    options.add_argument("corpora", type=Path)
    chosen = options.parse_args()
    catalogue = Catalogue.shipped()
    counted = []
    for name, found in (
        ("Perseus: author and title", perseus(catalogue, chosen.library)),
        ("Tesserae: names of files", tesserae(catalogue, chosen.library)),
        ("headers of TEI: author", headers(catalogue, chosen.corpora)),
    ):
        rows = list(found)
        counted.append({"compared": name, "files": len(rows), **Counter(row[0] for row in rows)})
        for row in rows:
            if row[0] not in {"same", "without a name"}:
                print(*row, sep=" | ")
    kinds = ("same", "without a name", "another name", "another URN", "another file")
    table = [{**row, **{kind: row.get(kind, 0) for kind in kinds}} for row in counted]
    print_table(table)
    save_results("catalogue", {"compared": table})


if __name__ == "__main__":
    main()
