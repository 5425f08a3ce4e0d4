"""Links between pages lead somewhere, and every page can be reached."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import pytest

from support.documentation import PAGES, ROOT, blocks_of

if TYPE_CHECKING:
    from pathlib import Path

_LINK = re.compile(r"(?<!!)\[[^]]*\]\(([^)\s]+)\)|!\[[^]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
DOCS = ROOT / "docs"
# Pages that are written when the documentation is built.
REFERENCE = {
    "command-line",
    *re.findall(r"reference/([\w-]+)\.md", (ROOT / "mkdocs.yml").read_text()),
}


def _anchors(page: Path) -> set[str]:
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(page):
        text = text.replace(block.code, "")
    return {_slug(heading) for heading in _HEADING.findall(text)}


def _slug(heading: str) -> str:
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    letters = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", letters).strip().lower())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for found in _LINK.finditer(page.read_text(encoding="utf-8")):
        link = found[1] or found[2]
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if target.parent == DOCS / "reference":
            assert target.stem in REFERENCE, f"{page.name}: {link}"
            continue
        assert target.exists(), f"{page.name}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in _anchors(target), f"{page.name}: {link}"


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = {str(page.relative_to(DOCS)) for page in PAGES if DOCS in page.parents}
    pages |= {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.ipynb")}
    assert {page for page in pages if f": {page}" not in menu} == set()
