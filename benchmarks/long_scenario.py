"""The long scenario as a movie: the boxer before and after, measured; `python -m benchmarks.long_scenario`."""

from pathlib import Path

from benchmarks.gestures import one_scene as scene
from benchmarks.gestures.long_scenario import miss, slide
from benchmarks.harness import Figure, main
from inbetweener.document import Clearance, Editor
from inbetweener.render import render_movie

FOLDER = Path(__file__).parents[1] / "out" / "scenes"


def measure() -> list[Figure]:
    """Play the story, film it, and say what came of every promise."""
    before = scene.opened()
    editor = Editor(before)
    for step in scene.story():
        editor.apply(step.label, step.edit)
    after, steps = editor.document, len(editor.history.steps) - 1
    while editor.history.undo_label:
        editor.undo()
    undone = editor.document == before
    FOLDER.mkdir(parents=True, exist_ok=True)
    render_movie(before, FOLDER / "one-scene-before.mp4", points=(scene.HAND,))
    render_movie(after, FOLDER / "one-scene-after.mp4", points=(scene.HAND,))
    feet = [max(slide(each, before.rig.point(foot), 0.0, scene.END) for foot in scene.FEET) for each in (before, after)]
    times, skin = before.clip().frame_times, Clearance(before)
    pads = [float(skin.measure(each.shown_motion(), times).min()) for each in (before, after)]
    distance, speed = miss(after, "bag")
    return [
        Figure("one scene, steps that are undone and the same again", steps if undone else 0, "", at_least=steps),
        Figure("one scene, feet slide before", 1e3 * feet[0], "mm"),
        Figure("one scene, feet slide after", 1e3 * feet[1], "mm", at_most=1),
        Figure("one scene, clearance of the pad before", 100 * pads[0], "cm"),
        Figure("one scene, clearance of the pad after", 100 * pads[1], "cm", at_least=0.2),
        Figure("one scene, target missed by", 1e3 * distance, "mm", at_most=0.1),
        Figure("one scene, speed there", 1e3 * speed, "mm/s", at_most=1),
    ]


if __name__ == "__main__":
    main("long_scenario", measure)
