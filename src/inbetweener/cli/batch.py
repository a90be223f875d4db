"""`inbetweener batch` and `recipe`: a recipe over a whole library of motion, and what recipes say."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

from inbetweener.cli.console import note, prepare_kernels, print_json, print_table, progress_of, say, understood
from inbetweener.cli.source import Json, Texts

if TYPE_CHECKING:
    from inbetweener.batch import Plan, Recipe

RecipeName = Annotated[str, Argument(metavar="RECIPE", help="A TOML file, or the name of a recipe that comes along.")]
Changes = Annotated[
    Texts,
    Option("--set", metavar="VERB.KEY=VALUE", help="Say a key of the recipe otherwise, as fit.tolerance=0.01; repeat."),
]

recipes = typer.Typer(no_args_is_help=True, help="Look at recipes: what a batch does to every clip.")


@recipes.command("check")
def check(recipe: RecipeName, changes: Changes = None, json: Json = False) -> None:
    """Check a recipe, key by key; what is wrong is told with its line."""
    from inbetweener.batch import read_recipe

    found = read_recipe(recipe, changes or ())
    if json:
        print_json({"name": found.name, "key": found.key, "steps": [each.verb for each in found.steps]})
    else:
        say(str(found))


@recipes.command("show")
def show(
    recipe: Annotated[str | None, Argument(metavar="[RECIPE]", help="Which; without it, all are listed.")] = None,
) -> None:
    """Print a recipe as it is, to begin one of your own with; or list those that come along and the verbs there are."""
    from inbetweener.batch import read_recipe, ready_recipes
    from inbetweener.batch.steps import verbs

    ready = ready_recipes()
    if recipe is None:
        import tomllib

        print_table(("recipe", "what it does"), [(n, tomllib.loads(t)["about"]) for n, t in ready.items()],
                    left=("recipe", "what it does"))  # fmt: skip
        say(f"verbs: {', '.join(name.replace('_', ' ') for name in verbs())}")
    elif recipe in ready:
        typer.echo(ready[recipe], nl=False)
    else:
        read_recipe(recipe)
        typer.echo(Path(recipe).read_text("utf-8"), nl=False)


def batch(
    recipe: RecipeName,
    folder: Annotated[
        str, Argument(metavar="FOLDER", help="The library: a folder, or an address as s3://bucket/takes.")
    ],
    output: Annotated[str, Option("--output", "-o", help="Where results go: a folder, or an address.")],
    changes: Changes = None,
    jobs: Annotated[
        int | None, Option("--jobs", "-j", min=1, help="How many clips at a time; all cores by default.")
    ] = None,
    limit: Annotated[int | None, Option(min=0, help="So many clips at most; with 0 only the report is made.")] = None,
    only: Annotated[Literal["failed"] | None, Option(help="Those that failed before, once more.")] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    on: Annotated[
        str | None,
        Option(metavar="tcp://HOST:PORT|local:N", help="Run on a Dask scheduler, or on one of N workers here."),
    ] = None,
    shard: Annotated[str | None, Option(metavar="NUMBER/COUNT", help="Do a part of the library only, as 0/8.")] = None,
    openjd: Annotated[
        Path | None, Option(metavar="DIR", help="Write an Open Job Description bundle there instead, for a farm.")
    ] = None,
    shards: Annotated[int, Option(min=1, help="Into how many tasks a bundle parts the library.")] = 16,
    json: Annotated[bool, Option("--json", help="Print events, one JSON object a line.")] = False,
) -> None:
    """Run RECIPE over every file of FOLDER; results, a table and a page with the worst first go to OUTPUT.

    What is done already is left alone, by what is in the files: started again after a crash, it does what is missing.
    Exits with 1 when clips failed, with one line for each.
    """
    from inbetweener.batch import plan, read_recipe, run

    wanted = read_recipe(recipe, changes or ())
    part = _shard(shard)
    if openjd is not None:
        _bundle(openjd, recipe, wanted, folder, output, shards, changes)
        return
    if dry_run:
        _tell_plan(plan(wanted, folder, output, limit=limit, only=only, shard=part), json)
        return
    if on is None:
        prepare_kernels()
    with understood(), progress_of(wanted.name, json) as tell:
        found = run(wanted, folder, output, jobs=jobs, limit=limit, only=only, shard=part, on=on, tell=tell)
    if not json:
        say(str(found))
    # A task of a farm that did its part is done: failures are on record, and the report shows them.
    if found.failed and part is None and limit != 0:
        raise typer.Exit(1)


def _tell_plan(found: "Plan", json: bool) -> None:
    if json:
        print_json({"to_do": [job.name for job in found.jobs], "done": found.done, "failed": dict(found.failed)})
        return
    for job in found.jobs:
        say(job.name)
    for name, problem in found.failed:
        note(f"failed before: {name}: {problem}")
    say(str(found))


def _bundle(target: Path, said: str, recipe: "Recipe", folder: str, output: str, shards: int, changes: Texts) -> None:
    from inbetweener.batch import ready_recipes
    from inbetweener.batch.openjd import write_bundle
    from inbetweener.batch.store import store_at

    if changes:
        raise typer.BadParameter("a bundle carries the recipe's own file; write the change there", param_hint="--set")
    text = ready_recipes().get(said) or Path(said).read_text("utf-8")
    template = write_bundle(target, text, recipe, store_at(folder).root, store_at(output).root, shards)
    say(
        f"Wrote {template}: {shards} tasks and a report; "
        f"to try it: openjd run {template} --step Report --run-dependencies"
    )


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count)):
        raise typer.BadParameter(f"{text!r} is no part; write it like 0/8", param_hint="--shard")
    return int(number), int(count)
