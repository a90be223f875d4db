"""The document in the page's words."""

import gc
import weakref
from dataclasses import replace

import pytest

from inbetweener.anatomy import Part
from inbetweener.builtin import example
from inbetweener.document import Document, edits
from inbetweener.maths.transforms import Transform
from inbetweener.rig import Joint, Rig, joint_channels
from inbetweener.studio.session import describing
from tests.studio.pages import PageForTests, session_of


def test_channels_of_a_handle_say_whose_they_are_and_which_joints_they_move() -> None:
    document = example("conductor")
    (handle,) = document.rig.handles
    channels = {each.name: each for each in describing.scene(document, document.clip().name).channels}
    own = [channels[name] for name in handle.channels]
    assert {each.handle for each in own} == {handle.name}
    for each in own:
        assert each.joints == list(dict.fromkeys([*handle.joints, handle.tip.joint]))
    others = [each for name, each in channels.items() if name not in handle.channels]
    assert {each.handle for each in others} == {None}
    drives = {channel.name: {drive.joint for drive in channel.drives} for channel in document.rig.channels}
    assert all(set(each.joints) == drives[each.name] for each in others)


def test_joints_weigh_as_the_shown_clip_has_them_weighed() -> None:
    session = session_of(example("waving"))
    page = PageForTests(session)
    boxes = [joint["mass"] for joint in page.known.scene["joints"]]
    page.done("loosen", settings={"springs": [{"name": "head", "frequency": 3.0}], "masses": "human"})
    human = [joint["mass"] for joint in page.known.scene["joints"]]
    document = session.editor.document
    assert human == document.body().masses.masses.tolist() != boxes
    page.done("undo")
    assert [joint["mass"] for joint in page.known.scene["joints"]] == boxes
    session.stop()


def test_a_mesh_keeps_its_address_while_it_lives_and_is_not_kept_by_it() -> None:
    shared = example("waving")
    document = replace(shared, meshes=tuple(replace(mesh) for mesh in shared.meshes))
    addresses = [describing.mesh_url(mesh) for mesh in document.meshes]
    assert [describing.mesh_url(mesh) for mesh in document.meshes] == addresses
    assert len(set(addresses)) == len(document.meshes) > 1
    gone = weakref.ref(document.meshes[0])
    del document
    gc.collect()
    assert gone() is None
    assert set(addresses).isdisjoint(describing._addresses.values())


def test_lengths_under_a_scaled_armature_are_told_in_metres() -> None:
    joints = (
        Joint("armature", rest=Transform(scale=(0.01, 0.01, 0.01))),
        Joint("hips", 0, Transform((0.0, 103.4, 0.0))),
    )
    rig = Rig(joints, tuple(c for joint in joints for c in joint_channels(joint, "ty rx")))
    told = {
        each.name: each for each in describing.scene(edits.new_clip(Document("person", rig), "still"), "still").channels
    }
    assert told["hips.ty"].default * told["hips.ty"].metres == pytest.approx(1.034)
    assert (told["armature.ty"].metres, told["hips.rx"].metres) == (1.0, 1.0)


def test_joints_say_what_they_are() -> None:
    document = edits.set_roles(example("waving"), [Part("hand_l", "control", "left")], mirror=True)
    told = describing.scene(document, document.clip().name)
    joints = {each.name: each for each in told.joints}
    assert told.kind == "humanoid"
    assert (joints["forearm_r"].role, joints["forearm_r"].side, joints["forearm_r"].bare) == ("forearm", "right", False)
    assert (joints["hand_r"].role, joints["hand_r"].bare, joints["hand_r"].mass) == ("control", True, 0.0)
