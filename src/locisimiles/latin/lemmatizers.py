"""Lemmatizers by name: our own, those of other projects, or any function.

====================  ===========================================================================
``context``           ours, readings chosen by the words around them
``fast``              ours, the commonest reading of each form
``FILE.npz``          ours, a model of your own (``locisimiles train lemmatizer``)
``simplemma``         simplemma: a word list with a few rules
``cltk``              the backoff lemmatizer of the Classical Language Toolkit
``latincy[:MODEL]``   a spaCy pipeline for Latin, by default ``la_core_web_lg``
``hub:MODEL``         a token classifier of the Hugging Face Hub, or in a folder
====================  ===========================================================================

All are asked with a list of words and answer with as many lemmas, which are brought into our
spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast, get_args

from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.lemmas import Analysis, Candidate, Lemmatizer, Mode
from locisimiles.latin.orthography import fold, fold_word

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["LemmatizeFunction", "choose_analyser", "choose_lemmatizer", "describe_lemmatizer"]

LemmatizeFunction = Callable[[Sequence[str]], Sequence[str]]

_CONSONANTAL_U = re.compile(r"(?:^|(?<=[aeioulr])|(?<=^in))u(?=[aeiou])")
_LATINCY_MODEL = "la_core_web_lg"
_CLTK_HINT = "install it with: pip install 'cltk<1.6', and let it download its Latin models"


def choose_lemmatizer(chosen: str | LemmatizeFunction = "context") -> LemmatizeFunction:
    """Return a function that gives the lemmas of words.

    Parameters
    ----------
    chosen
        A name from the table above, or any function from words to lemmas.

    Raises
    ------
    ParameterError
        If there is no such lemmatizer.
    MissingDependencyError
        If it is not installed.

    Examples
    --------
    >>> choose_lemmatizer("fast")(["virumque", "cano"])
    ['uir', 'cano']
    >>> choose_lemmatizer(lambda words: [word[:3] for word in words])(["Virum", "cano"])
    ['uir', 'can']
    """
    if not isinstance(chosen, str):
        return partial(_spelled, chosen)
    if chosen in get_args(Mode):
        return partial(Lemmatizer.shipped().lemmatize, mode=cast("Mode", chosen))
    if chosen.endswith(".npz"):
        return Lemmatizer.load(chosen).lemmatize
    name, _, model = chosen.partition(":")
    if name not in _OTHERS:
        raise ParameterError(
            f"there is no lemmatizer {chosen!r}",
            hint=f"choose context, fast, a model file (.npz), {', '.join(_OTHERS)}",
        )
    return partial(_spelled, _OTHERS[name](model))


def choose_analyser(name: str = "context") -> Callable[[Sequence[str]], list[Analysis]]:
    """Return a function that gives the readings of words.

    Other lemmatizers than ours give one lemma, no part of speech, and their name as its origin.

    Examples
    --------
    >>> choose_analyser("fast")(["virumque"])[0].lemma
    'uir'
    """
    if name in get_args(Mode):
        return partial(Lemmatizer.shipped().analyse, mode=cast("Mode", name))
    if name.endswith(".npz"):
        return Lemmatizer.load(name).analyse
    function = choose_lemmatizer(name)
    return lambda words: [
        Analysis(word, (Candidate(lemma, "", 1.0),), name)
        for word, lemma in zip(words, function(words), strict=True)
    ]


def describe_lemmatizer(chosen: str | LemmatizeFunction) -> dict[str, str]:
    """Return what must be known of a lemmatizer to repeat a run, for its manifest."""
    if not isinstance(chosen, str):
        name = getattr(chosen, "__qualname__", type(chosen).__qualname__)
        return {"lemmatizer": f"{chosen.__module__}.{name}"}
    if chosen in get_args(Mode):
        return {"lemmatizer": chosen, "lemmatizer_sha256": Lemmatizer.shipped_fingerprint()}
    return {"lemmatizer": chosen}


def _spelled(function: LemmatizeFunction, words: Sequence[str]) -> list[str]:
    """Ask another lemmatizer, check its answer, and spell it our way."""
    lemmas = list(function(words)) if words else []
    if len(lemmas) != len(words):
        raise ParameterError(
            f"the lemmatizer gave {len(lemmas)} lemmas for {len(words)} words",
            hint="it must return one lemma for each word",
        )
    return [
        spell_lemma(lemma) or fold_word(word) for word, lemma in zip(words, lemmas, strict=True)
    ]


@lru_cache(maxsize=1)
def _simplemma(model: str) -> LemmatizeFunction:
    _refuse(model, "simplemma")
    simplemma = _import("simplemma", "pip install simplemma")

    def lemma(word: str) -> str:
        # The list spells with v; where that is unknown, the word may be a name with u.
        folded = fold(word)
        with_v = _CONSONANTAL_U.sub("v", folded)
        known = simplemma.is_known(with_v, lang="la")
        spelling = with_v if known else folded
        return str(simplemma.lemmatize(spelling, lang="la"))

    return lambda words: [lemma(word) for word in words]


@lru_cache(maxsize=1)
def _cltk(model: str) -> LemmatizeFunction:
    _refuse(model, "cltk")
    try:
        from cltk.lemmatize.lat import LatinBackoffLemmatizer

        backoff = LatinBackoffLemmatizer()
    except ImportError as error:
        raise MissingDependencyError("CLTK is not installed", hint=_CLTK_HINT) from error
    except (OSError, LookupError) as error:
        raise MissingDependencyError(
            f"the models of CLTK are not there: {error}", hint=_CLTK_HINT
        ) from error
    return lambda words: [lemma for _, lemma in backoff.lemmatize(list(words))]


@lru_cache(maxsize=2)
def _latincy(model: str) -> LemmatizeFunction:
    model = model or _LATINCY_MODEL
    spacy = _import("spacy", "pip install spacy")
    try:
        pipeline = spacy.load(model)
    except OSError as error:
        raise MissingDependencyError(
            f"there is no spaCy model {model!r}",
            hint="install a LatinCy model, e.g. la_core_web_lg, or give a folder: latincy:FOLDER",
        ) from error
    document = spacy.tokens.Doc

    def lemmatize(words: Sequence[str]) -> list[str]:
        # The words are given: only what comes after the tokenizer is run.
        analysed = document(pipeline.vocab, words=list(words))
        for _, component in pipeline.pipeline:
            analysed = component(analysed)
        return [token.lemma_ for token in analysed]

    return lemmatize


@lru_cache(maxsize=2)
def _hub(model: str) -> LemmatizeFunction:
    """Load a token classifier whose labels are lemmas, or rules to make them.

    A label ``3|us`` means: cut three letters, add *us*. Any other label is the lemma itself.
    """
    if not model:
        raise ParameterError("hub needs the name of a model", hint="write hub:MODEL or hub:FOLDER")
    transformers = _import("transformers", "pip install 'locisimiles[hub]'")
    torch = _import("torch", "pip install 'locisimiles[hub]'")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, use_fast=True)
        classifier = transformers.AutoModelForTokenClassification.from_pretrained(
            model, use_safetensors=True, trust_remote_code=False
        ).eval()
    except (OSError, ValueError) as error:
        raise MissingDependencyError(
            f"the model {model!r} cannot be loaded: {str(error).partition(chr(10))[0]}",
            hint="name a folder, or a model of the Hub while you are online",
        ) from error

    def lemmatize(words: Sequence[str]) -> list[str]:
        encoded = tokenizer(
            list(words), is_split_into_words=True, truncation=True, return_tensors="pt"
        )
        with torch.no_grad():
            labels = classifier(**encoded).logits[0].argmax(-1).tolist()
        first: dict[int, int] = {}
        for place, word in enumerate(encoded.word_ids(0)):
            if word is not None:
                first.setdefault(word, place)
        return [
            # What a model of limited length did not see stays as it is.
            _apply(classifier.config.id2label[labels[first[i]]], word) if i in first else word
            for i, word in enumerate(words)
        ]

    return lemmatize


def _refuse(model: str, name: str) -> None:
    if model:
        raise ParameterError(f"{name} has one model only, not {model!r}", hint=f"write {name}")


def _apply(label: str, word: str) -> str:
    cut, separator, add = label.partition("|")
    if not separator or not cut.isdigit():
        return label
    return word[: max(len(word) - int(cut), 0)] + add


def _import(name: str, command: str) -> ModuleType | Any:  # noqa: ANN401 - untyped libraries
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingDependencyError(
            f"{name} is not installed", hint=f"install it with: {command}"
        ) from error


_OTHERS: dict[str, Callable[[str], LemmatizeFunction]] = {
    "simplemma": _simplemma,
    "cltk": _cltk,
    "latincy": _latincy,
    "hub": _hub,
}
