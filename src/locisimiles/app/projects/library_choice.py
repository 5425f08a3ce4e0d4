"""What a user chooses in the library: works, and an edition of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from locisimiles.app.projects.library_list import LibraryFilter, list_works

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.library_list import ListedWork

__all__ = ["LibraryChoice"]


class LibraryChoice:
    """The works that are listed, and those that are chosen; filters keep what was chosen.

    Examples
    --------
    >>> choice = LibraryChoice()
    >>> choice.narrow(words="vergil")
    >>> choice.choose_author("vergil", chosen=True)
    >>> sorted(choice.chosen)
    ['vergil.aeneid', 'vergil.eclogues', 'vergil.georgics']
    """

    def __init__(self) -> None:
        self.wanted = LibraryFilter()
        self._editions: dict[str, str] = {}
        self.refresh()

    @property
    def listed(self) -> list[ListedWork]:
        """The works that meet the filter."""
        return self._listed

    @property
    def chosen(self) -> Mapping[str, str]:
        """The chosen edition of each chosen work."""
        return self._editions

    @property
    def works(self) -> list[ListedWork]:
        """The chosen works, listed or not."""
        return [work for name, work in self._works.items() if name in self._editions]

    @property
    def authors(self) -> dict[str, str]:
        """All authors, by the name that filters use."""
        return {work.author_name: work.author for work in self._works.values()}

    @property
    def bytes_to_download(self) -> int:
        """The size of the chosen editions that are not on this machine."""
        chosen = set(self._editions.values())
        editions = (one for work in self.works for one in work.editions if one.name in chosen)
        return sum(one.size for one in editions if not one.is_installed)

    def begin(self) -> None:
        """List everything, and look again which texts are on this machine."""
        self.wanted = LibraryFilter()
        self.refresh()

    def refresh(self) -> None:
        """Look again which texts are on this machine."""
        self._works = {work.name: work for work in list_works()}
        self._listed = list_works(self.wanted)

    def narrow(self, **changes: Any) -> None:  # noqa: ANN401 - as the fields of the filter
        """Change the filter."""
        self.wanted = replace(self.wanted, **changes)
        self._listed = list_works(self.wanted)

    def choose(self, name: str, *, chosen: bool) -> None:
        """Choose a work, or not; its edition is the one that is here or can be had."""
        work = self._works.get(name)
        if not chosen:
            self._editions.pop(name, None)
        elif work is not None and work.edition.is_available:
            self._editions.setdefault(name, work.edition.name)

    def choose_edition(self, name: str, edition: str) -> None:
        """Choose an edition of a chosen work."""
        work = self._works.get(name)
        available = () if work is None else (one for one in work.editions if one.is_available)
        if name in self._editions and edition in {one.name for one in available}:
            self._editions[name] = edition

    def choose_author(self, author: str, *, chosen: bool) -> None:
        """Choose all listed works of an author, or none of them."""
        for work in self._listed:
            if work.author_name == author:
                self.choose(work.name, chosen=chosen)

    def choose_listed(self) -> None:
        """Choose all works that are listed."""
        for work in self._listed:
            self.choose(work.name, chosen=True)

    def clear(self) -> None:
        """Choose nothing."""
        self._editions.clear()
