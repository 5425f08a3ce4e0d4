"""Recipes: from raw texts to every model of the package, in stages."""

from locisimiles.train.recipe.cards import model_card
from locisimiles.train.recipe.comparison import Difference, compare_runs
from locisimiles.train.recipe.run import RecipeRun
from locisimiles.train.recipe.stages import Figure, Output, Recipe, Stage

__all__ = [
    "Difference",
    "Figure",
    "Output",
    "Recipe",
    "RecipeRun",
    "Stage",
    "compare_runs",
    "model_card",
]
