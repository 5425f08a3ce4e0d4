"""Lemmatizers by name: our own, those of other projects, or any function.

====================  ===========================================================================
``context``           ours, analyses chosen by context
``fast``              ours, the most frequent analysis of each form
``FILE.npz``          ours, a model of your own (``locisimiles train lemmatizer``)
``simplemma``         simplemma: a word list with a few rules
``cltk``              the backoff lemmatizer of the Classical Language Toolkit
``latincy[:MODEL]``   a spaCy pipeline for Latin, by default ``la_core_web_lg``
``hub:MODEL``         a token classifier of the Hugging Face Hub, or in a folder
====================  ===========================================================================

Each takes a list of words and returns as many lemmas, which are converted to our spelling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, cast, get_args

from locisimiles.checks import check_choice
from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.installation import install_command
from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.lemmas import AnalysedToken, Lemmatizer, Mode, WeightedAnalysis
from locisimiles.latin.orthography import fold, fold_word

__all__ = ["LemmatizeFunction", "choose_analyser", "choose_lemmatizer", "describe_lemmatizer"]

LemmatizeFunction = Callable[[Sequence[str]], Sequence[str]]

_CONSONANTAL_U = re.compile(r"(?:^|(?<=[aeioulr])|(?<=^in))u(?=[aeiou])")
_LATINCY_MODEL = "la_core_web_lg"
_WITHOUT_MODEL = ("simplemma", "cltk")


def choose_lemmatizer(chosen: str | LemmatizeFunction = "context") -> LemmatizeFunction:
    """Return a function from words to lemmas.

    Parameters
    ----------
    chosen
        A name from the table above, or any function from words to lemmas.

    Raises
    ------
    ParameterError, MissingDependencyError
        If the lemmatizer is unknown or not installed.

    Examples
    --------
    >>> choose_lemmatizer("fast")(["virumque", "cano"])
    ['uir', 'cano']
    >>> choose_lemmatizer(lambda words: [word[:3] for word in words])(["Virum", "cano"])
    ['uir', 'can']
    """
    if not isinstance(chosen, str):
        return partial(_spelled, chosen)
    ours = _ours(chosen)
    if ours is not None:
        return partial(ours[0].lemmatize, mode=ours[1])
    name, _, model = chosen.partition(":")
    if name not in _OTHERS:
        check_choice([*get_args(Mode), "FILE.npz", *_OTHERS], lemmatizer=chosen)
    if model and name in _WITHOUT_MODEL:
        raise ParameterError("latin.one_model_only", name=name, model=model)
    return partial(_spelled, _OTHERS[name](model))


def choose_analyser(name: str = "context") -> Callable[[Sequence[str]], list[AnalysedToken]]:
    """Return a function that analyses words.

    Lemmatizers of other projects give one lemma without a part of speech; its origin is their name.
    """
    ours = _ours(name)
    if ours is not None:
        return partial(ours[0].analyse, mode=ours[1])
    function = choose_lemmatizer(name)
    return lambda words: [
        AnalysedToken(word, (WeightedAnalysis(lemma, "", 1.0),), name)
        for word, lemma in zip(words, function(words), strict=True)
    ]


def describe_lemmatizer(chosen: str | LemmatizeFunction) -> dict[str, str]:
    """Return the description of a lemmatizer for manifests."""
    if not isinstance(chosen, str):
        name = getattr(chosen, "__qualname__", type(chosen).__qualname__)
        return {"lemmatizer": f"{chosen.__module__}.{name}"}
    if chosen in get_args(Mode):
        return {"lemmatizer": chosen, "lemmatizer_sha256": Lemmatizer.shipped_fingerprint()}
    return {"lemmatizer": chosen}


def _ours(name: str) -> tuple[Lemmatizer, Mode] | None:
    """Return our lemmatizer and mode of this name; None for other lemmatizers."""
    if name in get_args(Mode):
        return Lemmatizer.shipped(), cast("Mode", name)
    return (Lemmatizer.load(name), "context") if name.endswith(".npz") else None


def _spelled(function: LemmatizeFunction, words: Sequence[str]) -> list[str]:
    """Return the lemmas of another lemmatizer in our spelling."""
    lemmas = list(function(words)) if words else []
    if len(lemmas) != len(words):
        raise ParameterError("latin.lemma_count", lemmas=len(lemmas), words=len(words))
    return [
        spell_lemma(lemma) or fold_word(word) for word, lemma in zip(words, lemmas, strict=True)
    ]


@lru_cache(maxsize=1)
def _simplemma(_: str) -> LemmatizeFunction:
    simplemma = _import("simplemma")

    def lemma(word: str) -> str:
        # The word list is spelled with v; an unknown spelling may be a name with u.
        folded = fold(word)
        with_v = _CONSONANTAL_U.sub("v", folded)
        spelling = with_v if simplemma.is_known(with_v, lang="la") else folded
        return str(simplemma.lemmatize(spelling, lang="la"))

    return lambda words: [lemma(word) for word in words]


@lru_cache(maxsize=1)
def _cltk(_: str) -> LemmatizeFunction:
    try:
        from cltk.lemmatize.lat import LatinBackoffLemmatizer

        backoff = LatinBackoffLemmatizer()
    except ImportError as error:
        raise MissingDependencyError(
            "latin.library_missing", name="CLTK", install=install_command(library="cltk<1.6")
        ) from error
    except (OSError, LookupError) as error:
        raise MissingDependencyError("latin.cltk_models_missing", reason=str(error)) from error
    return lambda words: [lemma for _, lemma in backoff.lemmatize(list(words))]


@lru_cache(maxsize=2)
def _latincy(model: str) -> LemmatizeFunction:
    model = model or _LATINCY_MODEL
    spacy = _import("spacy")
    try:
        pipeline = spacy.load(model)
    except OSError as error:
        raise MissingDependencyError("latin.spacy_model_missing", name=model) from error
    document = spacy.tokens.Doc

    def lemmatize(words: Sequence[str]) -> list[str]:
        # The words are already tokens: run only the components after the tokenizer.
        analysed = document(pipeline.vocab, words=list(words))
        for _, component in pipeline.pipeline:
            analysed = component(analysed)
        return [token.lemma_ for token in analysed]

    return lemmatize


@lru_cache(maxsize=2)
def _hub(model: str) -> LemmatizeFunction:
    """Load a token classifier whose labels are lemmas or rules.

    A label ``3|us`` means: cut three letters, add *us*. Any other label is the lemma itself.
    """
    if not model:
        raise ParameterError("latin.hub_without_model")
    transformers = _import("transformers", extra="hub")
    torch = _import("torch", extra="hub")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(model, use_fast=True)
        classifier = transformers.AutoModelForTokenClassification.from_pretrained(
            model, use_safetensors=True, trust_remote_code=False
        ).eval()
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise MissingDependencyError("latin.model_not_loaded", name=model, reason=reason) from error

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
            # Words beyond the maximum length of the model stay unchanged.
            _apply(classifier.config.id2label[labels[first[i]]], word) if i in first else word
            for i, word in enumerate(words)
        ]

    return lemmatize


def _apply(label: str, word: str) -> str:
    cut, separator, add = label.partition("|")
    if not separator or not cut.isdigit():
        return label
    return word[: max(len(word) - int(cut), 0)] + add


def _import(name: str, *, extra: str = "") -> Any:  # noqa: ANN401 - untyped libraries
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingDependencyError(
            "latin.library_missing",
            name=name,
            install=install_command(extra=extra, library=name),
        ) from error


_OTHERS: dict[str, Callable[[str], LemmatizeFunction]] = {
    "simplemma": _simplemma,
    "cltk": _cltk,
    "latincy": _latincy,
    "hub": _hub,
}
