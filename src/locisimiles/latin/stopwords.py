"""Words too common to make a parallel: conjunctions, prepositions, pronouns, forms of *esse*."""

from __future__ import annotations

__all__ = ["STOPWORDS"]

STOPWORDS = frozenset(
    """
    a ab abs ac ad adhuc aliqui aliquis an ante apud at atque aut autem cum cur de deinde dum e
    ego enim ergo es esse est et etiam etsi ex fio haud hic iam idem igitur ille in infra inter
    interim ipse is ita itaque iste magis modo mox nam ne nec necque neque nisi non nos num nunc o
    ob per post pro propter qua quae quam quando qui quia quid quidem quis quisque quo quod
    quoniam quoque se sed seu si sic sicut sine siue sub sui sum super suus tam tamen tamquam tu
    tum tunc tuus uel uero ubi unde uos ut uterque meus noster uester
    """.split()
)
"""Lemmas and forms, folded (u for v)."""
