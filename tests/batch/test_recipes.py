"""Recipes say what is done, are checked key by key, and name the line of whatever is wrong."""

import inspect
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import inbetweener as ib
from inbetweener.batch import parse_recipe, read_recipe, ready_recipes, steps
from inbetweener.curves import Curve, evaluate
from inbetweener.document.edits import resample, trim
from inbetweener.document.edits.result import Result
from inbetweener.errors import FormatError, InvalidEdit, UnknownName
from inbetweener.motion import Curves

WRITE = '[[export]]\nsuffix = ".tween"\n'


def test_steps_are_the_verbs_of_documents_with_their_own_words() -> None:
    verbs = steps.verbs()
    assert verbs["fit"] is ib.edits.fit
    assert {"clean", "fit", "suggest_contacts", "agree_poses", "remove_slide", "guide", "loosen"} <= set(verbs)
    assert {"recognise", "trim", "resample", "check"} <= set(verbs)
    assert set(steps.keys(ib.edits.fit)) == {"tolerance", "poses", "align"}
    for name, verb in verbs.items():
        assert issubclass(inspect.get_annotations(verb, eval_str=True)["return"], Result), name
        assert set(steps.keys(verb)) <= set(inspect.signature(verb).parameters)


def test_a_verb_that_is_added_joins_by_being_an_edit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def dress(document: ib.Document, onto: ib.Document, *, scale: float = 1.0) -> Result:
        return Result(replace(document, name=f"{onto.name} {scale}"))

    monkeypatch.setattr(ib.edits, "dress", dress, raising=False)
    monkeypatch.setattr(ib.edits, "__all__", [*ib.edits.__all__, "dress"])
    steps.verbs.cache_clear()
    try:
        ib.save(ib.example("waving"), tmp_path / "hero.tween")
        text = f'[[step]]\nverb = "dress"\nonto = "hero.tween"\nscale = "50 cm"\n{WRITE}'
        made = parse_recipe(text, tmp_path / "mine.toml")
        assert made.steps[0].words == {"onto": str(tmp_path / "hero.tween"), "scale": 0.5}
        before = made.key
        ib.save(ib.example("diver"), tmp_path / "hero.tween")
        assert parse_recipe(text, tmp_path / "mine.toml").key != before, "what a step reads counts"
        with pytest.raises(FormatError, match=r"mine\.toml: line 3: step 1: onto: there is no file"):
            parse_recipe(text.replace("hero", "nobody"), tmp_path / "mine.toml")
    finally:
        steps.verbs.cache_clear()


@pytest.mark.parametrize("name", ready_recipes())
def test_those_that_come_along_are_sound(name: str) -> None:
    if name == "retarget-to":
        with pytest.raises(FormatError, match=r"retarget-to\.toml: line 7: step 2: retarget must be told 'onto'"):
            read_recipe(name)
        return
    recipe = read_recipe(name)
    assert recipe.name == name
    assert recipe.about


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[step]]\nverb = "fitt"', "line 2: step 1: verb: no verb called 'fitt'; did you mean fit?"),
        ('[[step]]\nverb = "fit"\n\ntolerence = 1', "line 4: step 1: tolerence: no key called 'tolerence'; did you"),
        ('[[step]]\nverb = "fit"\ntolerance = "wide"', "line 3: step 1: tolerance: must be a number, not 'wide'"),
        ('[[step]]\nverb = "fit"\nalign = "all"', "line 3: step 1: align: must be 'channel' or 'joint' or 'body'"),
        (
            '[[step]]\nverb = "fit"\n[[step]]\nverb = "fit"\nposes = 2.5',
            "line 5: step 2: poses: must be a whole number",
        ),
        ('[[step]]\nverb = "drag"', "line 1: step 1: drag must be told 'point'"),
        ('[[step]]\nverb = "guide"\nclear = 1', "line 3: step 1: clear: must be true or false, not 1"),
        ('[[step]]\nverb = "guide"\nframes = [1, 2, 3]', "line 3: step 1: frames: must be a list"),
        ('[[step]]\nverb = "clean"\nif_refused = "cry"', "line 3: step 1: if_refused: must be 'fail' or 'go on'"),
        ("[[step]]\nnoise = 1", "line 1: step 1: has no verb"),
        (
            '[[export]]\nsuffix = ".dae"',
            "line 2: export 1: suffix: must be one of .tween .bvh .gltf .glb .fbx .usd .usda .usdc .usdz "
            ".vrm .vrma .npz .csv, not '.dae'",
        ),
        ('[[export]]\nsuffix = ".glb"\nrate = 24', "line 3: export 1: rate: no key called 'rate'"),
        ("[[picture]]\nkind = 'painting'", "line 2: picture 1: kind: must be one of picture, sheet, movie"),
        ("[[picture]]\nat = 2", "line 2: picture 1: at: at is from 0 to 1"),
        ("[limits]\nseconds = -1", "line 2: limits: seconds: must be more than nothing, not -1"),
        ("[open]\nunit = true", "line 2: open: unit: must be a number or a text, not True"),
        ("step = 3", "line 1: step: must be [[step]]"),
        ("colour = 3", "line 1: colour: no key called 'colour'"),
        ("a = [1,\n2", "line 2: Unclosed array"),
        ("[[step]\n", "line 1: Expected ']]'"),
        ('name = "x"', "nothing is written; add an [[export]] or a [[picture]]"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_key(text: str, told: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_recipe(text, "mine.toml")
    assert str(refused.value).startswith(f"mine.toml: {told}")
    assert "\n" not in str(refused.value)


def test_numbers_may_have_units_and_keys_may_be_said_otherwise() -> None:
    plain = parse_recipe(f'[[step]]\nverb = "fit"\ntolerance = 0.005\n{WRITE}')
    named = parse_recipe(f'about = "x"\n[[step]]\nverb = "fit"\ntolerance = "5 mm"\n{WRITE}')
    assert named.steps == plain.steps
    assert named.key == plain.key, "what a person calls it changes nothing of what comes out"
    changed = read_recipe("dense-to-editable", ["fit.tolerance=2 mm", "limits.seconds=5"])
    assert changed.steps[1].words["tolerance"] == pytest.approx(0.002)
    assert changed.limits.seconds == 5
    assert changed.key != read_recipe("dense-to-editable").key
    (noise,) = parse_recipe(f'[[step]]\nverb = "clean"\nnoise = "2 deg"\n{WRITE}').steps
    assert noise.words["noise"] == pytest.approx(np.radians(2))
    with pytest.raises(UnknownName, match="no step of dense-to-editable"):
        read_recipe("dense-to-editable", ["fitt.tolerance=1"])
    with pytest.raises(UnknownName, match="did you mean thumbnails"):
        read_recipe("thumbnail")


def test_trimmed_and_resampled_capture_is_the_same_motion_there() -> None:
    times = np.arange(61) / 60
    document = ib.example("waving")
    clip = document.clip()
    curves = {name: Curve.sampled(times, evaluate(curve, times)) for name, curve in clip.curves.items()}
    dense = ib.edits.replace_clip(
        document, clip.name, replace(clip, start=0.0, end=1.0, rate=60.0, curves=Curves(curves))
    )
    cut = resample(trim(dense, start="12f", end=0.8).document, rate=30).document
    kept = cut.clip()
    assert (kept.start, kept.end, kept.rate, len(kept.frame_times)) == (0.2, 0.8, 30, 19)
    for name, curve in kept.curves.items():
        assert len(curve) in (1, 19)
        held = np.interp(kept.frame_times, times, evaluate(clip.curves[name], times))
        np.testing.assert_allclose(curve.values, held if len(curve) > 1 else held[:1], atol=1e-12)
    with pytest.raises(InvalidEdit, match="nothing of clip"):
        trim(dense, start=0.9, end=0.1)


def test_figures_are_one_row_of_numbers_and_short_texts() -> None:
    slides = [{"point": "a", "after": 2.0}, {"point": "b", "after": 5.0}]
    facts = {"keys": 3, "ok": True, "who": "foot", "slide": slides,
             "inner": {"kg": 1.5}, "none": None}  # fmt: skip
    assert steps.figures(facts) == {
        "keys": 3, "ok": 1.0, "who": "foot", "slide": 2, "slide.after": 5.0, "inner.kg": 1.5,
    }  # fmt: skip


def test_a_cut_keeps_what_lies_between_frames() -> None:
    """Readers put keys between frames where angles turn past a pole: without them joints would swing."""
    frames, between = np.arange(12) / 30, 3.5 / 30
    times = np.sort(np.append(frames, between))
    document = ib.example("waving")
    name = next(iter(document.clip().curves))
    dense = {n: Curve.sampled(times, np.sin(5 * times) + (times == between)) for n in [name]}
    clip = replace(document.clip(), start=0.0, end=11 / 30, rate=30.0, curves=Curves(dense), layers=())
    cut = trim(replace(document, clips=(clip,), loosenings=()), start="1f").document.clip().curves[name]
    looked = np.linspace(frames[1], frames[-1], 241)
    assert evaluate(cut, looked) == pytest.approx(evaluate(dense[name], looked), abs=1e-12)
    assert cut.times[0] == pytest.approx(frames[1])
