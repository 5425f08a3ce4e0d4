"""Parameters as scikit-learn reads and changes them, for what is made of them alone."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Self, cast

from locisimiles.checks import check_choice

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Parameters"]


class Parameters:
    """A dataclass whose fields are parameters: ``sklearn.base.clone`` and grid searches take it.

    Examples
    --------
    >>> from locisimiles import BM25
    >>> BM25(k1=1.2).get_params()["k1"]
    1.2
    >>> BM25().set_params(k1=0.9, b=0.4)
    BM25(terms='lemma', k1=0.9, b=0.4, lemmatizer='fast')
    """

    __slots__ = ()

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - sklearn's
        """Return the parameters by name.

        Parameters
        ----------
        deep
            Also those of a parameter that has some, as ``late__window``.
        """
        mine = cast("DataclassInstance", self)
        found = {field.name: getattr(self, field.name) for field in fields(mine) if field.init}
        if deep:
            for name, value in tuple(found.items()):
                if isinstance(value, Parameters):
                    found |= {f"{name}__{key}": one for key, one in value.get_params().items()}
        return found

    def set_params(self, **params: object) -> Self:
        """Change parameters in place, as scikit-learn does, and return the object.

        A source that was prepared before keeps what it was prepared with.

        Raises
        ------
        ParameterError
            If there is no such parameter, or its value is invalid; then nothing changes.
        """
        own: dict[str, object] = {}
        inner: dict[str, dict[str, object]] = {}
        known = self.get_params(deep=False)
        for name, value in params.items():
            first, nested, rest = name.partition("__")
            check_choice(known, parameter=first)
            if nested:
                inner.setdefault(first, {})[rest] = value
            else:
                own[name] = value
        for name, changes in inner.items():
            part = own.get(name, known[name])
            check_choice(
                [key for key, one in known.items() if isinstance(one, Parameters)],
                **({} if isinstance(part, Parameters) else {"parameter": name}),
            )
            own[name] = cast("Parameters", part).__sklearn_clone__().set_params(**changes)
        changed = replace(cast("DataclassInstance", self), **own)  # checks them
        for name in own:
            object.__setattr__(self, name, getattr(changed, name))
        return self

    def __sklearn_clone__(self) -> Self:
        """Return an equal object; what it is made of is shared, since nothing changes it."""
        return cast("Self", replace(cast("DataclassInstance", self)))
