"""A whole library of motion: recipes, and runs of them over folders, on one machine or many."""

from inbetweener.batch.recipe import Recipe, parse_recipe, read_recipe, ready_recipes
from inbetweener.batch.run import BatchOutcome, Plan, plan, records, run
from inbetweener.batch.work import Record

__all__ = [
    "BatchOutcome",
    "Plan",
    "Recipe",
    "Record",
    "parse_recipe",
    "plan",
    "read_recipe",
    "ready_recipes",
    "records",
    "run",
]
