"""The settings of a search as data, so that any machine can make the same search of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from locisimiles.pipeline import AUTO, Pipeline
from locisimiles.retrieve.methods import DEFAULT, MethodOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.classify.selection import Selection

__all__ = ["SearchSettings"]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What `locisimiles.Pipeline` is made with, as names and paths.

    Attributes
    ----------
    method, lemmatizer, vectors, model, priors
        The method and its options; see `locisimiles.retrieve.methods.MethodOptions`.
    settings
        Changed settings of the method, as text.
    classifier
        The name of a classifier, or None.
    k
        Maximum number of candidates per query segment; None is the default of a search.
    depth
        Number of candidates per query segment that are judged.
    exclude
        Which pairs are no candidates.
    adapt
        Whether probabilities are adapted to the text.
    group
        Whether parallel sources are grouped.

    Examples
    --------
    >>> SearchSettings("bm25", k=5).pipeline().k
    5
    """

    method: str = DEFAULT
    lemmatizer: str = "fast"
    vectors: str | None = None
    model: str | None = None
    priors: bool = True
    settings: tuple[tuple[str, str], ...] = ()
    classifier: str | None = AUTO
    k: int | None = None
    depth: int = 100
    exclude: tuple[str, ...] = ()
    adapt: bool = True
    group: bool = False

    def pipeline(self, *, k: int | None = None, selection: Selection | None = None) -> Pipeline:
        """Return the search, perhaps with other candidates or a selection."""
        return Pipeline(
            self.method,
            classifier=self.classifier,
            k=self.k if k is None else k,
            depth=self.depth,
            selection=selection,
            exclude=self.exclude,
            group=self.group,
            options=MethodOptions(
                self.lemmatizer, self.vectors, self.model, self.priors, self.adapt
            ),
            settings=dict(self.settings),
        )

    def wide_pipeline(self) -> Pipeline:
        """Return the search with all candidates from which others may be selected later.

        Examples
        --------
        >>> SearchSettings().pipeline().k, SearchSettings().wide_pipeline().k
        (10, 100)
        """
        pipeline = self.pipeline()
        if self.k is None and pipeline.classifier is not None:
            pipeline = self.pipeline(k=pipeline.pairs_per_query)
        return pipeline

    def resolved(self) -> SearchSettings:
        """Return the same settings for any working directory, with or without a classifier."""
        paths: dict[str, str | None] = {
            name: str(Path(value).resolve())
            for name in ("vectors", "model", "classifier", "lemmatizer")
            if isinstance(value := getattr(self, name), str) and _is_path(value)
        }
        if self.pipeline().classifier is None:
            paths["classifier"] = None
        return replace(self, **paths)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as JSON holds them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> SearchSettings:
        """Return the settings that `as_dict` returned.

        Examples
        --------
        >>> made = SearchSettings("bm25", settings=(("k1", "1.2"),))
        >>> SearchSettings.from_dict(made.as_dict()) == made
        True
        """
        # Jobs of earlier versions say nothing of these.
        known = {"adapt": True, "group": False, **content}
        known = {field.name: known[field.name] for field in fields(cls)}
        for name, kinds in _KINDS.items():
            if type(known[name]) not in kinds:
                raise TypeError(name)
        known["settings"] = tuple((str(name), str(value)) for name, value in known["settings"])
        known["exclude"] = tuple(map(str, known["exclude"]))
        return cls(**known)


_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("method", "lemmatizer"), (str,)),
    **dict.fromkeys(("vectors", "model", "classifier"), (str, NoneType)),
    **dict.fromkeys(("priors", "adapt", "group"), (bool,)),
    "k": (int, NoneType),
    "depth": (int,),
    **dict.fromkeys(("settings", "exclude"), (list, tuple)),
}


def _is_path(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:
        return False
