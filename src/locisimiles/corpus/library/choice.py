"""Choose texts of the catalogue by author, genre and date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.library.works import GENRES
from locisimiles.errors import ParameterError, UnknownTextError

if TYPE_CHECKING:
    from locisimiles.corpus.library.catalogue import Catalogue, Text
    from locisimiles.corpus.library.works import Work

__all__ = ["TextChoice"]

_FORMS = ("verse", "prose")


@dataclass(frozen=True, slots=True)
class TextChoice:
    """What is wanted of the catalogue; everything by default.

    Attributes
    ----------
    author
        Any name of an author, or the beginnings of its words: ``Silius``, ``Hieronymus``.
    genre
        One of `GENRES`, or ``verse`` or ``prose``.
    before, after
        Years, negative before our era. A work without a date of its own counts as written in its
        author's last year for `before`, and in the first for `after`.

    Examples
    --------
    >>> from locisimiles.corpus.library import Catalogue
    >>> wanted = TextChoice(genre="epic", before=-15)
    >>> [text.work.name for text in wanted.of(Catalogue.shipped())]
    ['vergil.aeneid', 'ennius.annales']
    >>> [text.work.title for text in TextChoice(author="Silius").of(Catalogue.shipped())]
    ['Punica']
    """

    author: str = ""
    genre: str = ""
    before: int | None = None
    after: int | None = None

    def __post_init__(self) -> None:
        if self.genre not in ("", *GENRES, *_FORMS):
            raise ParameterError(
                "corpus.unknown_genre", genre=self.genre, genres=", ".join((*_FORMS, *GENRES))
            )

    def __bool__(self) -> bool:
        return bool(self.author or self.genre) or (self.before, self.after) != (None, None)

    def of(self, catalogue: Catalogue, *names: str) -> list[Text]:
        """Return the texts that are wanted, of all works or of those that names stand for.

        Works are in their preferred edition, unless a name says another. Raises an
        UnknownTextError if there are none.
        """
        named = [text for name in names for text in catalogue.find(name)]
        texts = named if names else catalogue.preferred()
        by_author = set(catalogue.names.by_author(self.author)) if self.author else None
        wanted = [
            text
            for text in dict.fromkeys(texts)
            if (by_author is None or text.work in by_author) and self._takes(text.work)
        ]
        if not wanted:
            raise UnknownTextError("corpus.nothing_selected")
        return wanted

    def _takes(self, work: Work) -> bool:
        if self.genre not in ("", work.genre, work.form):
            return False
        if self.before is not None and (work.latest is None or work.latest >= self.before):
            return False
        return self.after is None or (work.earliest is not None and work.earliest > self.after)
