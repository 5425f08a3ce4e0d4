"""Requests and responses of the REST API about the library."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from locisimiles.app.projects.additions import Addition, Phase, TextState
from locisimiles.app.projects.library_list import LibraryFilter, ListedWork
from locisimiles.app.projects.periods import read_period

__all__ = ["AdditionResponse", "LibraryNames", "LibraryQuery", "LibraryWork"]


class LibraryQuery(BaseModel):
    """What is wanted of the library."""

    words: str = Field(
        default="", max_length=200, description="Beginnings of any names of author and work."
    )
    author: str = Field(default="", description="The first part of the names of works: vergil.")
    genre: Literal["", "verse", "prose"] = ""
    period: str = Field(
        default="", max_length=100, description="Such as: before 100, 50 BC - AD 14, 4th century."
    )
    installed: bool = Field(default=False, description="Only works on this machine.")

    def wanted(self) -> LibraryFilter:
        """Return the filter."""
        return LibraryFilter(
            self.words, self.author, self.genre, read_period(self.period), self.installed
        )


class LibraryEdition(BaseModel):
    """An edition of a work in the library."""

    name: str
    publisher: str
    size: int = Field(description="In bytes.")
    is_installed: bool
    can_download: bool


class LibraryWork(BaseModel):
    """A work in the library, with its editions, the preferred one first."""

    name: str
    author: str
    title: str
    year: int | None = Field(
        description="When it was finished, approximately; negative before our era, null if unknown."
    )
    genre: str
    is_installed: bool
    editions: list[LibraryEdition]

    @classmethod
    def of(cls, work: ListedWork) -> LibraryWork:
        """Return a work as the API shows it."""
        return cls.model_validate(work, from_attributes=True)


class LibraryNames(BaseModel):
    """Names of authors, works or editions in the library."""

    model_config = ConfigDict(extra="forbid")

    names: list[Annotated[str, Field(max_length=200)]] = Field(min_length=1, max_length=1000)


class AddedText(BaseModel):
    """A text of the library on its way to a project."""

    name: str
    author: str
    title: str
    state: TextState
    received: int = Field(description="In bytes.")
    size: int = Field(description="In bytes.")
    problem: str


class AdditionResponse(BaseModel):
    """Texts of the library that are being added to a project."""

    phase: Phase
    share: float = Field(description="The part that is downloaded, from 0 to 1.")
    added: int = Field(description="The number of texts that are new in the project.")
    problem: str = Field(description="Why texts that are on this machine could not be added.")
    texts: list[AddedText]

    @classmethod
    def of(cls, addition: Addition) -> AdditionResponse:
        """Return an addition as the API shows it."""
        texts = [
            AddedText(
                name=one.name,
                author=one.author,
                title=one.title,
                state=one.state,
                received=one.received,
                size=one.size,
                problem=str(one.problem or ""),
            )
            for one in addition.texts
        ]
        return cls(
            phase=addition.phase,
            share=addition.share,
            added=addition.added,
            problem=str(addition.problem or ""),
            texts=texts,
        )
