"""Every contradiction is found and named."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from inbetweener.curves import Curve
from inbetweener.document import Constraint, Document, Prop, Source, View, problems, validate
from inbetweener.errors import InvalidDocument
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Clip, Curves, Layer
from inbetweener.rig import BlendedPoint, Drive, Joint, Point, Rig
from inbetweener.skinning import BlendShape, Mesh
from inbetweener.tangents import Contact
from tests.document.puppet import puppet
from tests.document.strategies import documents


def with_joint(document: Document, **changes: object) -> Document:
    joints = (*document.rig.joints, Joint(**changes))
    return replace(document, rig=replace(document.rig, joints=joints))


def with_channel(document: Document, **changes: object) -> Document:
    first, *others = document.rig.channels
    return replace(document, rig=replace(document.rig, channels=(replace(first, **changes), *others)))


def with_mesh(document: Document, **changes: object) -> Document:
    return replace(document, meshes=(replace(document.meshes[0], **changes),))


def with_prop(document: Document, **changes: object) -> Document:
    return replace(document, props=(replace(document.props[0], **changes),))


def with_clip(document: Document, **changes: object) -> Document:
    return replace(document, clips=(replace(document.clips[0], **changes),))


def with_constraint(document: Document, **changes: object) -> Document:
    return replace(document, constraints=(replace(document.constraints[0], **changes),))


def with_rule(document: Document, **changes: object) -> Document:
    return with_constraint(document, rule=replace(document.constraints[0].rule, **changes))


def spoilt(array: np.ndarray, row: int) -> np.ndarray:
    changed = np.array(array)
    changed[row] = np.nan
    return changed


def one_shape(**changes: object) -> tuple[BlendShape, ...]:
    return (replace(puppet().meshes[0].shapes[0], **changes),)


twice = Curves({"leg.rx": Curve.constant(0)})
CASES: dict[str, Callable[[Document], Document]] = {
    "document: has no name": lambda d: replace(d, name=" "),
    "document: its name is not valid text and could not be saved": lambda d: replace(d, name="a\ud800"),
    "document: its name is a str_ instead of plain text": lambda d: replace(d, name=np.str_("a")),
    "joint 'a\\ud800': its name is not valid text and could not be saved": lambda d: with_joint(d, name="a\ud800"),
    "prop 'ball': translation is not a finite number": lambda d: with_prop(d, transform=Transform((0, math.nan, 0))),
    "prop 'ball': its rotation is a quaternion of length 2 instead of 1": lambda d: with_prop(
        d, transform=Transform(rotation=(2.0, 0.0, 0.0, 0.0))
    ),
    "channel 'hips.tx': its limits leave no value at all": lambda d: with_channel(d, lower=math.inf, upper=math.inf),
    "channel 'hips.tx': drives 'hips.tx' twice": lambda d: with_channel(d, drives=(Drive("hips.tx"), Drive("hips.tx"))),
    "point 'hand': offset is not a finite number": lambda d: replace(
        d, rig=replace(d.rig, points=(Point("hips", (0, 0, math.inf), "hand"),))
    ),
    "mesh 'skin': the name is used 2 times; names must differ": lambda d: replace(d, meshes=(d.meshes[0],) * 2),
    "mesh '': has no name": lambda d: with_mesh(d, name=""),
    "mesh 'skin': is bound to unknown joint 'leg'": lambda d: with_mesh(d, joints=("hips", "leg")),
    "mesh 'skin': vertices 2 is not a finite number": lambda d: with_mesh(d, vertices=spoilt(d.meshes[0].vertices, 2)),
    "mesh 'skin': uvs 1 is not a finite number": lambda d: with_mesh(d, uvs=spoilt(d.meshes[0].uvs, 1)),
    "mesh 'skin': vertex 1 has a negative weight": lambda d: with_mesh(
        d, weights=[[1, 0], [-0.5, 1.5], [0.5, 0.5], [0, 1]]
    ),
    "mesh 'skin': weights of vertex 3 sum to 0.9 instead of 1": lambda d: with_mesh(
        d, weights=[[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 0.9]]
    ),
    "shape of mesh 'skin' 'grin': the name is used 2 times; names must differ": lambda d: with_mesh(
        d, shapes=d.meshes[0].shapes * 2
    ),
    "shape 'grin' of mesh 'skin': follows unknown channel 'frown'": lambda d: with_mesh(
        d, shapes=one_shape(channel="frown")
    ),
    "shape 'grin' of mesh 'skin': offsets 0 is not a finite number": lambda d: with_mesh(
        d, shapes=one_shape(offsets=spoilt(d.meshes[0].vertices, 0))
    ),
    "prop 'ball': the name is used 2 times; names must differ": lambda d: replace(d, props=d.props[:1] * 2),
    "prop 'ball': is held by unknown joint 'leg'": lambda d: with_prop(d, joint="leg"),
    "prop 'ball': sizes of its sphere must be positive and finite": lambda d: with_prop(d, solid=Sphere(0.0)),
    "prop 'ball': sizes of its box must be positive and finite": lambda d: with_prop(d, solid=Box((1, -1, 1))),
    "prop 'ball': sizes of its capsule must be positive and finite": lambda d: with_prop(d, solid=Capsule(1, math.inf)),
    "prop 'ball': colour is not a finite number": lambda d: with_prop(d, colour=(0, 0, math.nan)),
    "clip 'walk': the name is used 2 times; names must differ": lambda d: replace(d, clips=d.clips[:1] * 2),
    "clip 'walk': has a curve for unknown channel 'leg.rx'": lambda d: with_clip(d, curves=twice),
    "layer of clip 'walk' 'fix': the name is used 2 times; names must differ": lambda d: with_clip(
        d, layers=(Layer("fix"), Layer("fix"))
    ),
    "layer 'fix' of clip 'walk': has a curve for unknown channel 'leg.rx'": lambda d: with_clip(
        d, layers=(Layer("fix", twice),)
    ),
    "layer 'fix' of clip 'walk': its weight is not a finite number": lambda d: with_clip(
        d, layers=(Layer("fix", weight=math.nan),)
    ),
    "view: eye is not a finite number": lambda d: replace(d, view=View((0, math.nan, 0), (0, 0, 0))),
    "view: angle 4 must lie between 0 and π": lambda d: replace(d, view=View((0, 1, 0), (0, 0, 0), 4.0)),
    "view: looks from where it looks to": lambda d: replace(d, view=View((0, 1, 0), (0, 1, 0))),
    "constraint 'hand pin': the name is used 2 times; names must differ": lambda d: replace(
        d, constraints=d.constraints[:1] * 2
    ),
    "constraint 'hand pin': holds in unknown clip 'run'": lambda d: with_constraint(d, clip="run"),
    "constraint 'hand pin': its point sits on unknown joint 'leg'": lambda d: with_rule(d, point=Point("leg")),
    "constraint 'hand pin': offset of its point is not a finite number": lambda d: with_rule(
        d, point=Point("hips", (0, math.nan, 0))
    ),
    "constraint 'hand pin': weights of its point sum to 0.5 instead of 1": lambda d: with_rule(
        d, point=BlendedPoint(((Point("hips"), 0.5),))
    ),
    "constraint 'hand pin': weights of its point sum to nan instead of 1": lambda d: with_rule(
        d, point=BlendedPoint(((Point("hips"), math.nan),))
    ),
    "constraint 'hand pin': its point is made of no parts": lambda d: with_rule(d, point=BlendedPoint((), "x")),
    "constraint 'hand pin': holds unknown half 'place'; known: position, orientation, both": lambda d: with_rule(
        d, wanted="place"
    ),
    "constraint 'hand pin': its end 1.5 s lies before its start 2 s": lambda d: with_rule(d, start=2.0),
    "constraint 'hand pin': holds at no time at all": lambda d: with_rule(d, end=math.nan),
    "constraint 'hips contact': start and end of a contact must be finite numbers": lambda d: replace(
        d, constraints=(Constraint("hips contact", "walk", Contact(Point("hips"), -math.inf, 1.0)),)
    ),
    "point of constraint 'hand pin': its name is not valid text and could not be saved": lambda d: with_rule(
        d, point=Point("hips", name="a\ud800")
    ),
    "source: unit 0 must be positive and finite": lambda d: replace(d, source=Source("bvh", 0.0)),
    "source: unknown up axis 'w'; known: x, -x, y, -y, z, -z": lambda d: replace(d, source=Source("bvh", 1.0, "w")),
}


@pytest.mark.parametrize("problem", CASES)
def test_names_the_element(problem: str) -> None:
    bad = CASES[problem](puppet())
    assert problems(bad) == [problem]
    with pytest.raises(InvalidDocument) as caught:
        validate(bad)
    assert str(caught.value) == problem


@pytest.mark.parametrize("problem", CASES)
def test_sees_what_changed_since_a_sound_document(problem: str) -> None:
    sound = puppet()
    with pytest.raises(InvalidDocument):
        validate(CASES[problem](sound), since=sound)


def test_a_changed_rig_is_held_against_unchanged_clips() -> None:
    sound = puppet()
    poorer = replace(sound, rig=Rig(sound.rig.joints, sound.rig.channels[:-1], sound.rig.points))
    with pytest.raises(InvalidDocument, match="follows unknown channel 'smile'"):
        validate(poorer, since=sound)


def test_a_clip_that_goes_is_held_against_unchanged_constraints() -> None:
    sound = puppet()
    with pytest.raises(InvalidDocument, match="constraint 'hand pin': holds in unknown clip 'walk'"):
        validate(replace(sound, clips=sound.clips[1:]), since=sound)


@given(documents())
def test_sound_documents_have_no_problems(document: Document) -> None:
    assert problems(document) == []
    validate(document)


def test_all_problems_are_listed() -> None:
    document = puppet()
    bad = replace(
        document,
        props=(Prop("a", Sphere(-1.0), joint="leg"),),
        clips=(Clip("c", 1.0, curves=twice), Clip("c", 1.0)),
        meshes=(Mesh.rigid("m", "leg", np.eye(3), [[0, 1, 2]]),),
    )
    # Two joints, a size, a channel, a clip's name; and three constraints and a looseness have lost their clip.
    assert len(problems(bad)) == 9


def test_weights_of_eight_bits_pass() -> None:
    weights = np.full((4, 2), 0.5) + np.array([[0.0004, 0.0]])
    assert problems(with_mesh(puppet(), weights=weights)) == []
