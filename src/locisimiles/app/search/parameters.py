"""The parameters of a search, as users choose them and as projects store them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING

from locisimiles.checks import check_between, check_choice
from locisimiles.classify.methods import DEFAULT_CLASSIFIER
from locisimiles.classify.selection import Selection
from locisimiles.errors import ParameterError
from locisimiles.pipeline import AUTO, Pipeline
from locisimiles.retrieve.methods import METHODS, MethodOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LEMMATIZERS", "SETTINGS", "SearchParameters"]

LEMMATIZERS = ("fast", "context")
"""The lemmatizers of the app; others need files or downloads, and belong on the command line."""
SETTINGS = frozenset(
    "answer b best_pairs centre clause_ends complura constant decay depth dimensions exact "
    "interval k1 least lists max_collocations max_features max_in_source max_length "
    "max_similarity min_score n narrow pos_words power priors probes rarity reordered rule "
    "sharpness stopwords sublinear_tf subwords terms verses weighting whitening wide window".split()
)
"""The settings of methods that the app accepts: numbers and names.

Those that name a file, a folder or a model belong on the command line, whose user may read what
they name. In the app they would open any file of the server, or download from anywhere.
"""
_MOST_CANDIDATES = 1000
_LARGEST_NUMBER = 1_000_000
_LONGEST_VALUE = 100


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """The parameters of a search.

    Attributes
    ----------
    method
        One of `locisimiles.retrieve.methods.METHODS`.
    k
        Maximum number of candidates per query segment.
    priors
        Whether the default method uses author priors.
    lemmatizer
        One of `LEMMATIZERS`.
    settings
        Settings of the method, as users write them; only `SETTINGS`.
    budget, precision, threshold
        Which results to keep, as in `locisimiles.classify.selection.Selection`; at most one of
        them, all results by default.

    Examples
    --------
    >>> SearchParameters(method="bm25", settings={"k1": "1.2"}).pipeline().retriever
    BM25(terms='lemma', k1=1.2, b=0.75, lemmatizer='fast')
    >>> SearchParameters(budget=120).selection.as_dict()
    {'budget': 120}
    """

    method: str = "default"
    k: int = 10
    priors: bool = True
    lemmatizer: str = "fast"
    settings: Mapping[str, str] = field(default_factory=dict)
    budget: int | None = None
    precision: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_choice(METHODS, method=self.method)
        check_between(1, _MOST_CANDIDATES, k=self.k)
        check_choice(LEMMATIZERS, lemmatizer=self.lemmatizer)
        self.selection.as_dict()  # checks the selection

    @property
    def selection(self) -> Selection:
        """Which results to keep."""
        return Selection(self.budget, self.precision, self.threshold)

    def pipeline(self, selection: Selection | None = None) -> Pipeline:
        """Return the pipeline of the search, with another selection if one is given."""
        check_settings(self.settings)
        return Pipeline(
            self.method,
            classifier=DEFAULT_CLASSIFIER if self.selection.is_needed else AUTO,
            k=self.k,
            selection=selection or self.selection,
            options=MethodOptions(lemmatizer=self.lemmatizer, priors=self.priors),
            settings=self.settings,
        )

    def as_json(self) -> str:
        """Return the parameters as the project stores them."""
        return json.dumps({**asdict(self), "settings": dict(self.settings)})

    @classmethod
    def from_json(cls, text: str) -> SearchParameters:
        """Return the parameters that `as_json` returned; fields of newer versions are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: v for name, v in json.loads(text).items() if name in known})


def check_settings(settings: Mapping[str, str]) -> None:
    """Raise a ParameterError for a setting that the app does not accept, or an endless number."""
    for name, value in settings.items():
        if name not in SETTINGS:
            raise ParameterError("app.setting_not_here", name=name[:_LONGEST_VALUE])
        if len(value) > _LONGEST_VALUE:
            raise ParameterError("app.setting_too_long", name=name, most=_LONGEST_VALUE)
        try:
            number = float(value)
        except ValueError:  # a name
            continue
        if not abs(number) <= _LARGEST_NUMBER:
            raise ParameterError("app.setting_too_large", name=name, most=_LARGEST_NUMBER)
