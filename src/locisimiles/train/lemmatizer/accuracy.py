"""The accuracy of a lemmatizer."""

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
    """Counts of words: all with a lemma, and those for which the lemmatizer finds it.

    Their lemmas are the `same` in our spelling, the same but for conventions (`folded`, see
    `locisimiles.latin.conventions`), or `among` the candidates, conventions folded.
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
        Returns the possible lemmas of each word of a sentence, the most probable first.

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
            predicted = candidates([word.form for word in sentence])
            for word, lemmas in zip(sentence, predicted, strict=True):
                right = spell_lemma(word.lemma)
                if not right or not any(map(str.isalpha, word.form)):
                    continue
                classes = [lemma_class(lemma) for lemma in lemmas]
                words += 1
                same += lemmas[0] == right
                folded += classes[0] == lemma_class(right)
                among += lemma_class(right) in classes
    return Accuracy(words, same, folded, among)
