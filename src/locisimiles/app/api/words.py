"""Words: lemmas, dictionary, frequencies."""

from __future__ import annotations

from fastapi import APIRouter

from locisimiles.app.api.dependencies import FileName
from locisimiles.app.results.words import WordFacts, look_up

__all__ = ["router"]

router = APIRouter(tags=["words"])


@router.get("/words/{form}")
def show_word(form: FileName) -> WordFacts:
    """Show the lemmas of a form, their entries in the dictionary, and how frequent they are."""
    return look_up(form)
