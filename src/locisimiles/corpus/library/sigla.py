"""How scholars abbreviate authors and works, as in ``Verg. Aen.`` and ``Hier. epist.``.

``sigla.tsv`` follows the *Thesaurus linguae Latinae*: names of works are in lower case unless they
begin with a proper name. A row without a work gives the names of an author; ``-`` stands for the
work of an author who is cited without one (``Lucr. 1.1``). ``levels`` is the number of levels of a
locus, where all editions agree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from locisimiles.files.tables import shipped_rows

__all__ = ["Siglum", "siglum_of", "siglum_of_tag"]

_NOT_A_NAME = re.compile(r"[\W_]+")
_AUTHOR_ALONE = "-"


class Siglum(NamedTuple):
    """A work as it is cited, and the number of levels of its loci; 0 if unknown."""

    printed: str
    levels: int = 0


def siglum_of(author: str, work: str) -> Siglum:
    """Return how a work is cited; names that the table does not know stay as they are.

    Examples
    --------
    >>> siglum_of("Virgil", "Aeneis")
    Siglum(printed='Verg. Aen.', levels=2)
    >>> siglum_of("Lucretius", "De rerum natura").printed
    'Lucr.'
    >>> siglum_of("Virgil", "Culex").printed, siglum_of("Petrarca", "Africa").printed
    ('Verg. Culex', 'Petrarca, Africa')
    """
    known = _author(author)
    if known is None:
        return Siglum(", ".join(filter(None, (author, work))))
    title = work.removeprefix(author).strip() or work
    return _work(known, title) or Siglum(f"{known} {title}".strip())


def siglum_of_tag(tag: str) -> Siglum:
    """Return how a work is cited whose abbreviation begins an id.

    Examples
    --------
    >>> siglum_of_tag("verg. georg.").printed, siglum_of_tag("lucan.").printed
    ('Verg. georg.', 'Lucan.')
    >>> siglum_of_tag("symm. rel.").printed, siglum_of_tag("letters").printed
    ('Symm. rel.', 'letters')
    """
    words = tag.split()
    for count in range(len(words), 0, -1):
        known = _author(" ".join(words[:count]))
        if known is not None:
            rest = " ".join(words[count:])
            alone = _table()[1].get((known, _AUTHOR_ALONE))
            return _work(known, rest) or (not rest and alone) or Siglum(f"{known} {rest}".strip())
    return Siglum(tag[:1].upper() + tag[1:] if "." in tag else tag)


def _author(name: str) -> str | None:
    authors = _table()[0]
    last, comma, first = name.partition(",")
    return authors.get(_key(name)) or (authors.get(_key(f"{first} {last}")) if comma else None)


def _work(author: str, title: str) -> Siglum | None:
    return _table()[1].get((author, _key(title)))


def _key(name: str) -> str:
    return _NOT_A_NAME.sub(" ", name.casefold()).strip()


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, str], dict[tuple[str, str], Siglum]]:
    """Return authors by name, and works by author and name."""
    authors: dict[str, str] = {}
    works: dict[tuple[str, str], Siglum] = {}
    for row in shipped_rows("locisimiles.corpus.library", "sigla.tsv"):
        author, work, names = row["author"], row["work"], row["names"].split("|")
        if not work:
            authors |= {_key(name): author for name in (author, *names)}
            continue
        alone = work == _AUTHOR_ALONE
        siglum = Siglum(author if alone else f"{author} {work}", int(row["levels"] or 0))
        if alone:
            works[author, _AUTHOR_ALONE] = siglum
        works |= {(author, _key(name)): siglum for name in (work, *names) if _key(name)}
    return authors, works
