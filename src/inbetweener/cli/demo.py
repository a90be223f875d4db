"""`inbetweener demo`: the obstacle task, done by a scripted hand."""

from pathlib import Path
from typing import Annotated, Any

import typer

from inbetweener.cli.console import note, prepare_kernels, print_json, progress, say
from inbetweener.cli.source import Json


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the before/after movie goes (.mp4).")] = Path(
        "out/demo.mp4"
    ),
    json: Json = False,
) -> None:
    """Fly the robot around its obstacles by three drags over a real server, and film before and after."""
    from inbetweener.document import Clearance
    from inbetweener.render.output import checked
    from inbetweener.studio.obstacle_demo import POINT, compare, key_times, replay

    output.parent.mkdir(parents=True, exist_ok=True)
    checked(output, (".mp4",), "the demo")
    prepare_kernels()
    outcome = replay(note)
    before, after = (Clearance(each).least(each.motion()) for each in (outcome.before, outcome.after))
    with progress("Filming before and after") as report:
        left = outcome.before, f"before: {_hit(before)}"
        right = outcome.after, f"after: {_hit(after)}"
        compare(left, right, output, points=(POINT,), progress=report)
    facts: dict[str, Any] = {
        "clearance_cm": {name: [round(100 * before[name], 2), round(100 * after[name], 2)] for name in before},
        "obstacles_hit": [sum(each < 0 for each in found.values()) for found in (before, after)],
        "key_times": [key_times(outcome.before), key_times(outcome.after)],
        "drags": outcome.drags,
        "moves": len(outcome.answers),
        "seconds": round(outcome.seconds, 3),
        "slowest_move_ms": round(max(answer.server_ms for answer in outcome.answers), 2),
        "output": str(output),
    }
    if json:
        print_json(facts)
    else:
        _print(facts)
        say(f"{output.resolve()} ({output.stat().st_size / 1024:.0f} KiB)")
    if facts["obstacles_hit"][1]:
        raise typer.Exit(1)


def _print(facts: dict[str, Any]) -> None:
    rows = [(f"clearance of the {name} (cm)", *pair) for name, pair in facts["clearance_cm"].items()]
    rows += [("obstacles hit", *facts["obstacles_hit"]), ("frames with keys", *facts["key_times"])]
    say(f"{'':<28}{'before':>9}{'after':>9}")
    for what, before, after in rows:
        say(f"{what:<28}{before:>9}{after:>9}")
    say(
        f"{facts['drags']} drags of {facts['moves']} moves in {facts['seconds']:.2f} s; "
        f"the server's slowest answer took {facts['slowest_move_ms']:.1f} ms"
    )


def _hit(found: dict[str, float]) -> str:
    count = sum(each < 0 for each in found.values())
    return f"{count} obstacle{'' if count == 1 else 's'} hit"
