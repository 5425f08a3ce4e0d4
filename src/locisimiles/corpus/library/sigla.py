"""How scholars abbreviate authors and works, as in ``Verg. Aen.`` and ``Hier. epist.``.

``sigla.tsv`` follows the *Thesaurus linguae Latinae*: names of works are in lower case unless they
begin with a proper name. A row without a work gives the names of an author; ``-`` stands for the
work of an author who is cited without one (``Lucr. 1.1``). ``levels`` is the number of levels of a
locus, where all editions agree. The names are Latin, English, German, Italian and French.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from locisimiles.files.tables import shipped_rows

__all__ = [
    "Siglum",
    "author_names",
    "plain_name",
    "siglum_of",
    "siglum_of_tag",
    "work_names",
]

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


def author_names(author: str) -> tuple[str, ...]:
    """Return the names of an author, with the abbreviation; none if the table has no such author.

    Examples
    --------
    >>> "Orazio" in author_names("Horace"), author_names("Petrarca")
    (True, ())
    """
    known = _author(author)
    return () if known is None else _names()[known, ""]


def work_names(author: str, work: str) -> tuple[str, ...]:
    """Return the names of a work, with the abbreviation; none if the table has no such work.

    Examples
    --------
    >>> "Odes" in work_names("Horace", "Carmina"), work_names("Horace", "Medea")
    (True, ())
    """
    known = _author(author)
    siglum = None if known is None else _work(known, work)
    if known is None or siglum is None:
        return ()
    return _names()[known, siglum.printed.removeprefix(known).strip() or _AUTHOR_ALONE]


def plain_name(name: str) -> str:
    """Return a name as names are compared: without case, accents and punctuation, j as i.

    Examples
    --------
    >>> plain_name("Verg. Aen."), plain_name("Énéide"), plain_name("Divus Julius")
    ('verg aen', 'eneide', 'divus iulius')
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = plain.replace("j", "i")
    return _NOT_A_NAME.sub(" ", plain).strip()


def _author(name: str) -> str | None:
    authors = _table()[0]
    last, comma, first = name.partition(",")
    return authors.get(plain_name(name)) or (
        authors.get(plain_name(f"{first} {last}")) if comma else None
    )


def _work(author: str, title: str) -> Siglum | None:
    return _table()[1].get((author, plain_name(title)))


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, str], dict[tuple[str, str], Siglum]]:
    """Return authors by name, and works by author and name."""
    authors: dict[str, str] = {}
    works: dict[tuple[str, str], Siglum] = {}
    for row in shipped_rows("locisimiles.corpus.library", "sigla.tsv"):
        author, work, names = row["author"], row["work"], row["names"].split("|")
        if not work:
            authors |= {plain_name(name): author for name in (author, *names)}
            continue
        alone = work == _AUTHOR_ALONE
        siglum = Siglum(author if alone else f"{author} {work}", int(row["levels"] or 0))
        if alone:
            works[author, _AUTHOR_ALONE] = siglum
        works |= {(author, plain_name(name)): siglum for name in (work, *names) if plain_name(name)}
    return authors, works


@lru_cache(maxsize=1)
def _names() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return all names of authors and works, by the abbreviations of both."""
    return {
        (row["author"], row["work"]): tuple(
            name
            for name in (row["work"] or row["author"], *row["names"].split("|"))
            if plain_name(name)
        )
        for row in shipped_rows("locisimiles.corpus.library", "sigla.tsv")
    }
