"""Find works of the catalogue by any name that scholars use for them.

The names are those of ``sigla.tsv``: Latin titles, their translations, and abbreviations. Case,
accents and punctuation do not matter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from locisimiles.corpus.library.sigla import author_names, plain_name, siglum_of, work_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus.library.works import Work

__all__ = ["WorkNames"]

_BRACKETED = re.compile(r"\s*\(([^()]+)\)")


class WorkNames:
    """The works of a catalogue by their names.

    Examples
    --------
    >>> from locisimiles.corpus.library import Catalogue
    >>> names = WorkNames(Catalogue.shipped().works.values())
    >>> [work.name for work in names.find("Verg. Aen.")], len(names.find("Vergilius"))
    (['vergil.aeneid'], 3)
    >>> [work.name for work in names.search("odes hor")]
    ['horace.odes']
    >>> names.work_of("P. Vergilius Maro", "Énéide").year
    -19
    """

    def __init__(self, works: Iterable[Work]) -> None:
        self._works = tuple(works)

    def find(self, name: str) -> list[Work]:
        """Return the works that a whole name stands for.

        It names an author, an author and a work, or a work that has no namesake. The name that a
        work has in the library stands for no other.
        """
        exact = self._by_name.get(name.strip().lower())
        if exact is not None:
            return [exact]
        wanted = plain_name(name)
        found = self._by_author_name(name) or self._whole.get(wanted)
        if found:
            return found
        titled = self._titles.get(wanted, [])
        return titled if len(titled) == 1 else self._first_names.get(wanted, [])

    def candidates(self, name: str) -> list[str]:
        """Return what an ambiguous name may stand for: names of works, or of authors.

        Examples
        --------
        >>> from locisimiles.corpus.library import Catalogue
        >>> names = WorkNames(Catalogue.shipped().works.values())
        >>> names.candidates("pliny"), len(names.candidates("Epistulae")), names.candidates("x")
        (['pliny_the_elder', 'pliny_the_younger'], 11, [])
        """
        wanted = plain_name(name)
        titled = self._titles.get(wanted, [])
        if self.find(name):
            return []
        namesakes = [work for work in self._works if wanted in plain_name(work.author).split()]
        return [work.name for work in titled] or list(
            dict.fromkeys(work.author_name for work in namesakes)
        )

    def search(self, text: str) -> list[Work]:
        """Return the works among whose names each word of a text begins a word."""
        wanted = plain_name(text).split()
        return [
            work
            for work, words in zip(self._works, self._words, strict=True)
            if all(any(word.startswith(one) for word in words) for one in wanted)
        ]

    def by_author(self, name: str) -> list[Work]:
        """Return the works of the authors whose name this is, or among whose names its words begin.

        Examples
        --------
        >>> from locisimiles.corpus.library import Catalogue
        >>> names = WorkNames(Catalogue.shipped().works.values())
        >>> [work.name for work in names.by_author("Silius")], len(names.by_author("Virgilio"))
        (['silius_italicus.punica'], 3)
        """
        wanted = plain_name(name)
        found = self._by_author_name(name)
        if found or not wanted:
            return found
        return [
            work
            for work in self._works
            if all(
                any(word.startswith(one) for word in " ".join(_author_names(work)).split())
                for one in wanted.split()
            )
        ]

    def work_of(self, author: str, title: str) -> Work | None:
        """Return the work with this author and title; None if there is none or are two."""
        if not title.strip():
            return None
        spelled = (self._whole.get(plain_name(f"{one} {title}")) for one in _spellings(author))
        found = next(filter(None, spelled), [])
        if len(found) != 1:
            exact = plain_name(title)
            found = [work for work in found if plain_name(work.title) == exact]
        if not found:  # with an author's name in an order of words that no table has
            found = self._cited.get(siglum_of(author, title).printed, [])
        return found[0] if len(found) == 1 else None

    def _by_author_name(self, name: str) -> list[Work]:
        found = (self._authors.get(plain_name(one)) for one in _spellings(name))
        return next(filter(None, found), [])

    @cached_property
    def _by_name(self) -> dict[str, Work]:
        return {work.name: work for work in self._works}

    @cached_property
    def _authors(self) -> dict[str, list[Work]]:
        return _indexed((name, work) for work in self._works for name in _author_names(work))

    @cached_property
    def _first_names(self) -> dict[str, list[Work]]:
        """Works by the first word of an author's name in the library, if no other has it."""
        first = _indexed((work.author_name.partition("_")[0], work) for work in self._works)
        return {
            name: works
            for name, works in first.items()
            if len({work.author_name for work in works}) == 1
        }

    @cached_property
    def _titles(self) -> dict[str, list[Work]]:
        return _indexed((name, work) for work in self._works for name in _titles(work))

    @cached_property
    def _whole(self) -> dict[str, list[Work]]:
        """Works by author and title, and by the abbreviations that begin ids."""
        titled = (
            (f"{author} {title}", work)
            for work in self._works
            for author in _author_names(work)
            for title in _titles(work)
        )
        tagged = (
            (tag, work) for work in self._works for tag in (work.abbreviation, *work.known_as)
        )
        return _indexed([*titled, *tagged])

    @cached_property
    def _cited(self) -> dict[str, list[Work]]:
        return _indexed(
            ((siglum_of(work.author, work.title).printed, work) for work in self._works),
            plain=False,
        )

    @cached_property
    def _words(self) -> list[set[str]]:
        return [
            {
                word
                for name in (*_author_names(work), *_titles(work), work.abbreviation)
                for word in plain_name(name).split()
            }
            for work in self._works
        ]


def _spellings(author: str) -> Iterator[str]:
    """Yield the name of an author as it is, and as it would be outside a catalogue.

    Examples
    --------
    >>> list(_spellings("Statius, P. Papinius (Stace)"))
    ['Statius, P. Papinius (Stace)', 'P. Papinius Statius', 'Stace']
    """
    yield author
    alone = _BRACKETED.sub(" ", author)
    last, comma, first = alone.partition(",")
    if comma:
        yield f"{first.strip()} {last.strip()}"
    elif alone != author:
        yield alone
    yield from (bracketed[1] for bracketed in _BRACKETED.finditer(author))


def _author_names(work: Work) -> set[str]:
    others = work.by.names if work.by and work.by.names else author_names(work.author)
    return {plain_name(name) for name in (work.author_name, work.author, *others)}


def _titles(work: Work) -> set[str]:
    own = (work.name.partition(".")[2], work.title, *work.names)
    names = (*own, *work_names(work.author, work.title))
    return {plain_name(name) for name in names}


def _indexed(named: Iterable[tuple[str, Work]], *, plain: bool = True) -> dict[str, list[Work]]:
    index: dict[str, dict[str, Work]] = defaultdict(dict)
    for name, work in named:
        index[plain_name(name) if plain else name][work.name] = work
    return {name: list(works.values()) for name, works in index.items()}
