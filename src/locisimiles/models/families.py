"""What is known of encoders by name: where they are, and how they want to be fed.

A bi-encoder is trained with a word before queries and another before sources (its prompts), and
with one way of making a vector of many (its pooling). Both belong to the model as its weights do;
models that say nothing of them in their files are known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from locisimiles.errors import ParameterError

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
    """What is written before queries and before sources.

    Examples
    --------
    >>> PAPER_PROMPTS.before("query") + "haesit uox"
    'Query: haesit uox'
    """

    query: str = ""
    source: str = ""

    def before(self, kind: Kind) -> str:
        """Return what is written before texts of a kind."""
        if kind not in get_args(Kind):
            raise ParameterError(f"kind={kind!r} is unknown", hint="it is query or source")
        return self.query if kind == "query" else self.source


NO_PROMPTS = Prompts()
PAPER_PROMPTS = Prompts("Query: ", "Candidate: ")
_E5_PROMPTS = Prompts("query: ", "passage: ")
_PROMPTS = {"none": NO_PROMPTS, "e5": _E5_PROMPTS, "paper": PAPER_PROMPTS}


@dataclass(frozen=True, slots=True)
class Family:
    """Encoders that are used in the same way.

    Attributes
    ----------
    name
        What it is called.
    marks
        Parts of names by which its models are known.
    models
        Short names, and the names they stand for on the Hub.
    pooling
        How the vectors of tokens become one.
    prompts
        What it was trained with.
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
"""The encoders that the paper's cross-encoders begin with, and their names on the Hub."""

_SHORT_NAMES = {
    **{short: full for family in FAMILIES for short, full in family.models},
    **CROSS_ENCODER_BASES,
}


def hub_name(name: str) -> str:
    """Return the name on the Hub that a short name stands for; other names as they are.

    Examples
    --------
    >>> hub_name("e5-small"), hub_name("me/my-encoder")
    ('intfloat/multilingual-e5-small', 'me/my-encoder')
    """
    return _SHORT_NAMES.get(name.lower(), name)


def family_of(name: str) -> Family | None:
    """Return the family a model belongs to by its name, if it is known.

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
    """Return the prompts that a name stands for: ``none``, ``e5`` or ``paper``.

    Examples
    --------
    >>> choose_prompts("e5")
    Prompts(query='query: ', source='passage: ')
    """
    if isinstance(chosen, Prompts):
        return chosen
    if chosen not in _PROMPTS:
        raise ParameterError(
            f"there are no prompts {chosen!r}", hint=f"choose one of {', '.join(_PROMPTS)}"
        )
    return _PROMPTS[chosen]


def check_pooling(pooling: str) -> None:
    """Raise a ParameterError if there is no such pooling."""
    if pooling not in get_args(Pooling):
        raise ParameterError(
            f"pooling={pooling!r} is unknown", hint=f"choose one of {', '.join(get_args(Pooling))}"
        )
