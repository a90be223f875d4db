"""The first minute on a machine: what compiling takes, and what waits for it.

`python -m benchmarks.first_minute [--json]`. Every measure is taken in a process of its own with an empty cache.
Processor seconds (user time) say what compiling costs; waiting is on the clock, so it wants an idle machine.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import Any

from benchmarks.harness import Figure, main

EACH = """
import importlib, json, time
from inbetweener import kernels
for path in kernels.kernel_files():
    importlib.import_module(".".join(("inbetweener", *path.relative_to(kernels.PACKAGE).with_suffix("").parts)))
from inbetweener.kernels import machine
taken = {}
for each in sorted(kernels._registry.values(), key=kernels._turn):
    began = time.process_time()
    each.compile()
    taken[each.name.removeprefix("inbetweener.")] = time.process_time() - began
print(json.dumps(taken))
"""

STUDIO = """
import json, time
from inbetweener import kernels
began, at = time.perf_counter(), {}
for _, _, name in kernels.warm_up():
    if kernels._turn(kernels._registry[name])[0] == len(kernels.FIRST):
        at.setdefault("drag", time.perf_counter() - began)
at["all"] = time.perf_counter() - began
print(json.dumps(at))
"""

DRAG = ["drag", "flying-robot", "--point", "body", "--time", "1.5", "--to", "0,0.53,-0.1"]
DEAREST = 12
"""How many of the dearest kernels are told by themselves."""


def fresh(command: list[str], cache: str, folder: str) -> tuple[str, float, float]:
    """What a Python process says, its seconds on the clock, and those of the processor."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "INBETWEENER_CACHE": cache},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    after = os.times()
    return done.stdout, time.perf_counter() - began, after.children_user - before.children_user


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        told, _, _ = fresh(["-c", EACH], f"{folder}/each", folder)
        taken: dict[str, float] = json.loads(told)
        drag = ["-c", "from inbetweener.cli import main; main()", *DRAG, "--output", f"{folder}/out.tween"]
        _, first, _ = fresh(drag, f"{folder}/drag", folder)
        _, second, _ = fresh(drag, f"{folder}/drag", folder)
        told, _, _ = fresh(["-c", STUDIO], f"{folder}/studio", folder)
        studio: dict[str, Any] = json.loads(told)
    groups: Counter[str] = Counter()
    for name, seconds in taken.items():
        groups[name.partition(".")[0]] += seconds  # type: ignore[assignment]
    dearest = sorted(taken.items(), key=lambda each: -each[1])[:DEAREST]
    return [
        Figure(f"all {len(taken)} kernels, processor time", sum(taken.values()), "s", at_most=45),
        *(Figure(f"  {name}", seconds, "s") for name, seconds in groups.most_common()),
        *(Figure(f"  kernel {name}", seconds, "s") for name, seconds in dearest),
        Figure("first drag on the command line", first, "s", at_most=10),
        Figure("second drag on the command line", second, "s", at_most=2),
        Figure("Studio: what a first drag needs is there after", studio["drag"], "s", at_most=8),
        Figure("Studio: all is ready after", studio["all"], "s", at_most=25),
    ]


if __name__ == "__main__":
    main("first_minute", figures)
