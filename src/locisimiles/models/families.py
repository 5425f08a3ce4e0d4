"""Encoders known by name: where they are, and the prompts and pooling they were trained with.

A bi-encoder is trained with a prefix for queries and another for sources (its prompts), and with
one way to turn many vectors into one (its pooling). Both belong to the model like its weights. This
module knows them for models whose files do not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from locisimiles.checks import check_choice

__all__ = [
    "CROSS_ENCODER_BASES",
    "FAMILIES",
    "NO_PROMPTS",
    "PAPER_PROMPTS",
    "Family",
    "Kind",
    "Pooling",
    "Prompts",
    "check_pooling",
    "choose_prompts",
    "family_of",
    "hub_name",
]

Kind = Literal["query", "source"]
Pooling = Literal["mean", "cls"]


@dataclass(frozen=True, slots=True)
class Prompts:
    """The text written before queries and before sources.

    Examples
    --------
    >>> PAPER_PROMPTS.before("query") + "haesit uox"
    'Query: haesit uox'
    """

    query: str = ""
    source: str = ""

    def before(self, kind: Kind) -> str:
        """Return the prompt of queries or of sources."""
        check_choice(get_args(Kind), kind=kind)
        return self.query if kind == "query" else self.source


NO_PROMPTS = Prompts()
PAPER_PROMPTS = Prompts("Query: ", "Candidate: ")
_E5_PROMPTS = Prompts("query: ", "passage: ")
_PROMPTS = {"none": NO_PROMPTS, "e5": _E5_PROMPTS, "paper": PAPER_PROMPTS}


@dataclass(frozen=True, slots=True)
class Family:
    """Encoders that share pooling and prompts.

    Attributes
    ----------
    marks
        Parts of names that identify its models.
    models
        Short names, each with the full name on the Hub.
    """

    name: str
    marks: tuple[str, ...]
    models: tuple[tuple[str, str], ...]
    pooling: Pooling
    prompts: Prompts


FAMILIES = (
    Family(
        "E5",
        ("multilingual-e5-", "e5-small", "e5-base", "e5-large"),
        (
            ("e5-small", "intfloat/multilingual-e5-small"),
            ("e5-base", "intfloat/multilingual-e5-base"),
            ("e5-large", "intfloat/multilingual-e5-large"),
        ),
        "mean",
        _E5_PROMPTS,
    ),
    Family(
        "Granite",
        ("granite-embedding-",),
        (
            ("granite-107m", "ibm-granite/granite-embedding-107m-multilingual"),
            ("granite-278m", "ibm-granite/granite-embedding-278m-multilingual"),
        ),
        "cls",
        NO_PROMPTS,
    ),
    Family("BGE-M3", ("bge-m3",), (("bge-m3", "BAAI/bge-m3"),), "cls", NO_PROMPTS),
    Family(
        "SPhilBERTa", ("sphilberta",), (("sphilberta", "bowphs/SPhilBerta"),), "mean", NO_PROMPTS
    ),
)
"""The bi-encoders of the paper."""

CROSS_ENCODER_BASES = {
    "xlm-r-base": "FacebookAI/xlm-roberta-base",
    "xlm-r-large": "FacebookAI/xlm-roberta-large",
    "modernbert-base": "answerdotai/ModernBERT-base",
    "modernbert-large": "answerdotai/ModernBERT-large",
    "mmbert-small": "jhu-clsp/mmBERT-small",
    "mmbert-base": "jhu-clsp/mmBERT-base",
    "latinbert": "ashleygong03/bamman-burns-latin-bert",
    "philberta": "bowphs/PhilBerta",
    "laberta": "bowphs/LaBerta",
    "roberta-latin": "ClassCat/roberta-base-latin-v2",
    "bert-romanian": "dumitrescustefan/bert-base-romanian-cased-v1",
}
"""The encoders that the paper's cross-encoders start from, with their names on the Hub."""

_SHORT_NAMES = {
    **{short: full for family in FAMILIES for short, full in family.models},
    **CROSS_ENCODER_BASES,
}


def hub_name(name: str) -> str:
    """Return the name on the Hub for a short name; other names unchanged.

    Examples
    --------
    >>> hub_name("e5-small"), hub_name("me/my-encoder")
    ('intfloat/multilingual-e5-small', 'me/my-encoder')
    """
    return _SHORT_NAMES.get(name.lower(), name)


def family_of(name: str) -> Family | None:
    """Return the family that a model's name belongs to; None if unknown.

    Examples
    --------
    >>> family_of("intfloat/multilingual-e5-large").name
    'E5'
    >>> family_of("me/my-encoder") is None
    True
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    return next((family for family in FAMILIES if any(mark in last for mark in family.marks)), None)


def choose_prompts(chosen: str | Prompts) -> Prompts:
    """Return the prompts called ``none``, ``e5`` or ``paper``."""
    if isinstance(chosen, Prompts):
        return chosen
    check_choice(_PROMPTS, prompts=chosen)
    return _PROMPTS[chosen]


def check_pooling(pooling: str | None) -> None:
    """Raise a ParameterError for an unknown pooling; None is the model's own."""
    if pooling is not None:
        check_choice(get_args(Pooling), pooling=pooling)
