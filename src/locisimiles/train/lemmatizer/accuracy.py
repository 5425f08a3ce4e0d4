"""How often a lemmatizer is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.latin.conventions import lemma_class, spell_lemma

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from locisimiles.train.lemmatizer.treebanks import TreebankText

__all__ = ["Accuracy", "measure_accuracy"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Counts of words: all that have a lemma, and those whose lemma was found.

    Attributes
    ----------
    words
        Words that the treebank has a lemma for.
    same
        Lemmas that are equal, in our spelling.
    folded
        Lemmas that are equal or differ by convention only; see `locisimiles.latin.conventions`.
    among
        Right lemmas that are among the candidates, conventions folded.
    """

    words: int
    same: int
    folded: int
    among: int


def measure_accuracy(
    texts: Iterable[TreebankText], candidates: Callable[[Sequence[str]], Sequence[Sequence[str]]]
) -> Accuracy:
    """Compare the lemmas of treebanks with those of a lemmatizer.

    Parameters
    ----------
    texts
        Lemmatised texts.
    candidates
        Gives for the words of a sentence the lemmas each may have, the likeliest first.

    Examples
    --------
    >>> from locisimiles.train.lemmatizer.treebanks import TaggedWord, TreebankText
    >>> word = TaggedWord("facile", "facile", "ADV")
    >>> measure_accuracy([TreebankText("x", ((word,),))], lambda words: [["facilis", "facio"]])
    Accuracy(words=1, same=0, folded=1, among=1)
    """
    words = same = folded = among = 0
    for text in texts:
        for sentence in text.sentences:
            answers = candidates([word.form for word in sentence])
            for word, found in zip(sentence, answers, strict=True):
                right = spell_lemma(word.lemma)
                if not right or not any(map(str.isalpha, word.form)):
                    continue
                classes = [lemma_class(lemma) for lemma in found]
                words += 1
                same += found[0] == right
                folded += classes[0] == lemma_class(right)
                among += lemma_class(right) in classes
    return Accuracy(words, same, folded, among)
