"""A batch as an Open Job Description bundle, for render farms: tasks are shards of the same command, then a report."""

import json
import sys
from pathlib import Path
from typing import Any

from inbetweener.batch.recipe import Recipe
from inbetweener.system import make_folder, replace_file

VERSION = "jobtemplate-2023-09"


def write_bundle(
    folder: Path, text: str, recipe: Recipe, source: str, output: str, shards: int, command: list[str] | None = None
) -> Path:
    """Write the bundle: the recipe as it is, and a template of a job whose tasks each do a shard; returns the template.

    command  how a worker of the farm starts us; the Python that runs now, unless told otherwise
    """
    make_folder(folder)
    replace_file(folder / "recipe.toml", text.encode())
    template = folder / "template.json"
    replace_file(template, json.dumps(_template(recipe, source, output, shards, command), indent=2).encode() + b"\n")
    return template


def _template(recipe: Recipe, source: str, output: str, shards: int, command: list[str] | None) -> dict[str, Any]:
    start = command or [sys.executable, "-m", "inbetweener"]
    batch = [*start[1:], "batch", "{{Param.Recipe}}", "{{Param.Folder}}", "-o", "{{Param.Output}}"]
    return {
        "specificationVersion": VERSION,
        "name": f"inbetweener {recipe.name}",
        "parameterDefinitions": [
            {"name": "Recipe", "type": "PATH", "objectType": "FILE", "dataFlow": "IN", "default": "recipe.toml"},
            {"name": "Folder", "type": "STRING", "default": source},
            {"name": "Output", "type": "STRING", "default": output},
        ],
        "steps": [
            {
                "name": "Clips",
                "parameterSpace": {
                    "taskParameterDefinitions": [{"name": "Shard", "type": "INT", "range": f"0-{shards - 1}"}]
                },
                "script": _script(start[0], [*batch, "--shard", f"{{{{Task.Param.Shard}}}}/{shards}"]),
            },
            {
                "name": "Report",
                "dependencies": [{"dependsOn": "Clips"}],
                "script": _script(start[0], [*batch, "--limit", "0"]),
            },
        ],
    }


def _script(program: str, arguments: list[str]) -> dict[str, Any]:
    return {"actions": {"onRun": {"command": program, "args": arguments}}}
