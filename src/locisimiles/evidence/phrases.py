"""What an explanation says, before it is said in a language.

A phrase is a key and its values; what it becomes in English stands here, other languages are tables
with the same keys. So an explanation can be kept as data, and said in whatever language its reader
reads.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["ENGLISH", "Phrase", "phrases_as_json", "phrases_from_json", "say"]

ENGLISH: Mapping[str, str] = {
    "shares_none": "Shares no word",
    "shares": "Shares {lemmas} ({facts})",
    "words": "{count} words",
    "words_one": "{count} word",
    "within": "within {query} words in the query and {source} in the source",
    "order_same": "in the same order",
    "order_other": "in another order",
    "inflected": "{count} in another form",
    "similar": "similar in meaning: {pairs}",
    "related": "related in meaning: {pairs}",
    "instead": "{query} for {source}",
    "verse_in_prose": "the source is verse, the query prose",
    "later": "the source is later than the query, as far as we know ({source} and {query})",
    "nowhere_pair": "the pair {lemmas} stands together nowhere else in {pool}",
    "nowhere_word": "{lemmas} stands nowhere else in {pool}",
    "places_pair": "the pair {lemmas} stands together in {count} other places of {pool}{where}",
    "places_pair_one": "the pair {lemmas} stands together in {count} other place of {pool}{where}",
    "places_word": "{lemmas} stands in {count} other places of {pool}{where}",
    "places_word_one": "{lemmas} stands in {count} other place of {pool}{where}",
    "pool": "{count} segments",
    "pool_one": "{count} segment",
    "pool_library": "{count} segments of the source and {library} of the library",
    "pool_library_one": "{count} segment of the source and {library} of the library",
    "first": ", first in {id}",
    "first_dated": ", first in {id}, as far as dates are known",
    "only": ", {id}",
    "formula_latin": "{lemmas} may be a common expression: they stand together in about {count} "
    "of {sentences} Latin sentences",
    "formula_authors": "{lemmas} may be a common expression: they stand together in {count} "
    "segments by {authors} authors",
    "rival": "{id} explains the words better: {lemmas} instead of {own}",
    "rival_nothing": "{id} explains the words better: {lemmas} instead of none",
    "attribution": "the query has {phrases} nearby",
    "quoted": "“{text}”",
    "quoted_all": "the words stand in quotation marks",
    "quoted_some": "some of the words stand in quotation marks",
    "no_author": "no author is named",
    "no_author_near": "no author is named near the words",
    "named": "{authors} are named",
    "named_one": "{authors} is named",
    "source_author_this": "this is the author of the source",
    "source_author": "{author} is the author of the source",
    "more": "{named} and {count} more",
}
"""What each phrase is in English; ``_one`` is for a count of one."""
_MOST_NAMED = 6


class Phrase(NamedTuple):
    """Something to say: a key of `ENGLISH`, and what takes the places in it.

    Values are words as they stand, numbers, other phrases, or lists of words and phrases.
    """

    key: str
    values: Mapping[str, Any] = {}


def say(
    phrases: Sequence[Phrase],
    templates: Mapping[str, str] = ENGLISH,
    number: Callable[[int], str] = "{:,}".format,
) -> str:
    """Say phrases as one sentence.

    Parameters
    ----------
    phrases
        What to say.
    templates
        What each phrase is in a language.
    number
        How that language writes numbers.

    Examples
    --------
    >>> say([Phrase("shares", {"lemmas": ["uox"], "facts": [Phrase("words", {"count": 1})]})])
    'Shares uox (1 word).'
    """
    return "; ".join(_said(phrase, templates, number) for phrase in phrases) + "."


def phrases_as_json(phrases: Sequence[Phrase]) -> str:
    """Write phrases so that `phrases_from_json` can read them."""
    return json.dumps(phrases, ensure_ascii=False, separators=(",", ":"))


def phrases_from_json(text: str) -> list[Phrase]:
    """Read phrases that `phrases_as_json` wrote.

    Examples
    --------
    >>> phrases_from_json(phrases_as_json([Phrase("shares_none")]))
    [Phrase(key='shares_none', values={})]
    """
    return [Phrase(key, values) for key, values in json.loads(text)]


def _said(phrase: Sequence[Any], templates: Mapping[str, str], number: Callable[[int], str]) -> str:
    key, values = phrase
    if values.get("count") == 1 and f"{key}_one" in templates:
        key = f"{key}_one"
    told = {name: _value(value, templates, number) for name, value in values.items()}
    return templates[key].format_map(told)


def _value(value: object, templates: Mapping[str, str], number: Callable[[int], str]) -> str:
    if isinstance(value, int):
        return number(value)
    if not isinstance(value, list | tuple):
        return str(value)
    if _is_phrase(value):
        return _said(value, templates, number)
    named = ", ".join(
        _said(one, templates, number) if _is_phrase(one) else str(one)
        for one in value[:_MOST_NAMED]
    )
    more = len(value) - _MOST_NAMED
    if more <= 0:
        return named
    return _said(Phrase("more", {"named": named, "count": more}), templates, number)


def _is_phrase(value: object) -> bool:
    """Tell a phrase from a list of words, also after it was a list in a file."""
    return isinstance(value, list | tuple) and len(value) > 1 and isinstance(value[1], dict)
