"""Verbs on motion that is keyed: drag, pull, time, fit, and those on contacts."""

import numpy as np

import inbetweener as ib
from inbetweener.document import Document, edits
from inbetweener.maths import quaternions
from inbetweener.motion import Attach, Contact, Pin
from tests.retarget.people import person, walking
from tests.studio.documents import loose_arm
from tests.studio.pages import PageForTests, place
from tests.verbs.table import OUTPUT, SOURCE, Row


def captured() -> Document:
    """The waving figure as a motion capture would have it: a straight key on every frame."""
    document = ib.example("waving")
    clip = document.clip()
    values = document.motion().channels(clip.frame_times)
    index = document.rig.channel_index
    samples = {name: ib.curves.Curve.sampled(clip.frame_times, values[:, index(name)]) for name in clip.curves}
    return edits.set_curves(document, clip.name, samples)


def shaken() -> Document:
    """The same with one frame of an arm turned away, as lost markers leave it."""
    document = captured()
    clip = document.clip()
    name = next(each for each in clip.curves if each == "upper_arm_l.rz")
    values = clip.curves[name].values.copy()
    values[20] += 1.2
    return edits.set_curves(document, clip.name, {name: ib.curves.Curve.sampled(clip.frame_times, values)})


def captured_stance() -> Document:
    """A captured boxer for a second, whose toes should stand."""
    document = edits.set_clip_range(boxer(until=1.5), "jab and cross", 0.0, 1.0)
    clip = document.clip()
    values = document.motion().channels(clip.frame_times)
    index = document.rig.channel_index
    samples = {name: ib.curves.Curve.sampled(clip.frame_times, values[:, index(name)]) for name in clip.curves}
    return edits.set_curves(document, clip.name, samples)


def boxer(until: float = 0.9) -> Document:
    """A boxer whose toes are planted, which his key poses put in different places, and with a pinned hand."""
    document = ib.example("boxer")
    clip = document.clip()
    for toe in ("toe_l", "toe_r"):
        document = edits.add_constraint(document, clip.name, Contact(document.rig.point(toe), 0.0, until))
    return edits.add_constraint(document, clip.name, Pin(document.rig.point("hand_l"), "position", 1.8, clip.end))


def guitarist() -> Document:
    """A guitarist whose left hand is attached to the neck of the guitar for a while."""
    document = ib.example("guitarist")
    guitar = next(prop for prop in document.props if prop.joint is not None)
    rule = Attach(document.rig.point("hand_l"), guitar.joint, 8 / 24, 16 / 24, prop=guitar.name)
    return edits.add_constraint(document, document.clip().name, rule)


def robot() -> Document:
    """The flying robot with a head that stays as it is."""
    document = ib.example("flying-robot")
    return edits.add_constraint(document, "fly", Pin(document.rig.point("head")))


def diver() -> Document:
    """A diver on the board, whose feet are planted."""
    document = ib.example("diver")
    return edits.suggest_contacts(document).document


def at(document: Document, point: str, time: float, *beside: float) -> np.ndarray:
    place = document.motion().states([time], document.rig.point(point))[0][0]
    return place + np.array(beside or (0.0, 0.0, 0.0))


def text(numbers: np.ndarray) -> str:
    return ",".join(repr(float(each)) for each in numbers)


def moved_once(page: PageForTests, kind: str, values: np.ndarray, **what: object) -> None:
    """One whole gesture: take hold, a single move, let go."""
    page.begin(kind, **what)
    page.move(*map(float, values))
    page.done("commit", gesture=1)


LIFTED = at(captured(), "hand_l", 20 / 24, 0.03, 0.04, 0.0)
UP = at(robot(), "hand_l", 1.4, 0.0, 0.08, 0.0)
FAR = at(robot(), "hand_l", 1.2, 0.0, 0.9, 0.0)
_START = robot().motion().states([1.5], robot().rig.point("hand_l"))[1][0]
_ABOUT_Z = np.array([[np.cos(0.3), -np.sin(0.3), 0.0], [np.sin(0.3), np.cos(0.3), 0.0], [0.0, 0.0, 1.0]])
TURNED = quaternions.from_matrix(_ABOUT_Z @ _START)
SEEN = loose_arm().shown_motion("swing").states([0.4], loose_arm().rig.point("hand"))[0][0] + [0.0, 0.03, 0.0]
KEY = float(diver().motion().key_times(diver().rig.point("hand_l"))[2])
ELBOW = at(guitarist(), "forearm_l", 0.5, 0.0, 0.015, 0.005)
REACH = at(diver(), "hand_l", KEY, 0.1, 0.1, 0.0)
TICK = at(boxer(), "hand_r", 31.1 / 24)

ROWS = [
    Row(
        "drag",
        robot,
        lambda document: edits.drag(document, "hand_l", time=1.4, to=UP),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "hand_l", "--time", "1.4", "--to", text(UP)),
        lambda page: moved_once(page, "drag-arc", UP, place=place("hand_l", name="hand_l"), time=1.4),
        "while the head stays",
    ),
    Row(
        "drag",
        robot,
        lambda document: edits.drag(document, "hand_l", time=1.4, to=UP, clear=True),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "hand_l", "--time", "1.4", "--to", text(UP), "--clear"),
        lambda page: moved_once(page, "drag-arc", UP, place=place("hand_l", name="hand_l"), time=1.4, clear=True),
        "no deeper in obstacles",
    ),
    Row(
        "drag",
        robot,
        lambda document: edits.drag(document, "hand_l", time=1.2, to=FAR),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "hand_l", "--time", "1.2", "--to", text(FAR)),
        lambda page: moved_once(page, "drag-arc", FAR, place=place("hand_l", name="hand_l"), time=1.2),
        "out of reach",
        expect=1,
    ),
    Row(
        "drag",
        captured,
        lambda document: edits.drag(document, "hand_l", frame=20, to=LIFTED, reach=0.25),
        (
            "drag",
            SOURCE,
            "-o",
            OUTPUT,
            "--point",
            "hand_l",
            "--frame",
            "20",
            "--to",
            text(LIFTED),
            "--reach",
            "0.25",
        ),
        lambda page: moved_once(
            page, "drag-arc", np.append(LIFTED, 0.25), place=place("hand_l", name="hand_l"), time=20 / 24
        ),
        "on dense motion, in a layer",
    ),
    Row(
        "drag",
        robot,
        lambda document: edits.drag(document, "hand_l", frame=36, turn_to=TURNED),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "hand_l", "--frame", "36", "--turn-to", text(TURNED)),
        lambda page: moved_once(
            page, "drag-arc", TURNED, place=place("hand_l", name="hand_l"), time=1.5, wanted="orientation"
        ),
        "turned",
    ),
    Row(
        "drag",
        loose_arm,
        lambda document: edits.drag(document, "hand", time=0.4, to=SEEN, clip="swing"),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "hand", "--time", "0.4", "--to", text(SEEN), "--clip", "swing"),
        lambda page: moved_once(page, "drag-arc", SEEN, place=place("hand", name="hand"), time=0.4),
        "of what swings",
    ),
    Row(
        "drag",
        guitarist,
        lambda document: edits.drag(document, "forearm_l", frame=12, to=ELBOW),
        ("drag", SOURCE, "-o", OUTPUT, "--point", "forearm_l", "--frame", "12", "--to", text(ELBOW)),
        lambda page: moved_once(page, "drag-arc", ELBOW, place=place("forearm_l", name="forearm_l"), time=0.5),
        "while the hand stays on the guitar",
    ),
    Row(
        "pull",
        diver,
        lambda document: edits.pull(document, "hand_l", time=KEY, to=REACH),
        ("pull", SOURCE, "-o", OUTPUT, "--point", "hand_l", "--time", repr(KEY), "--to", text(REACH)),
        lambda page: moved_once(page, "pull-pose", REACH, place=place("hand_l", name="hand_l"), time=KEY),
    ),
    Row(
        "scale_timing",
        boxer,
        lambda document: edits.scale_timing(document, "hand_r", 0.1, frame=31),
        ("time", SOURCE, "-o", OUTPUT, "--point", "hand_r", "--frame", "31", "--faster", "0.1"),
        lambda page: moved_once(
            page, "scale-timing", np.array([0.1]), place=place("hand_r", name="hand_r"), time=31 / 24
        ),
    ),
    Row(
        "move_tick",
        boxer,
        lambda document: edits.move_tick(document, "hand_r", frame=31, to=TICK),
        ("time", SOURCE, "-o", OUTPUT, "--point", "hand_r", "--frame", "31", "--to", text(TICK)),
        lambda page: moved_once(page, "move-tick", TICK, place=place("hand_r", name="hand_r"), time=31 / 24),
    ),
    Row(
        "retarget",
        lambda: person(leg=0.8),
        lambda document: edits.retarget(document, ib.example("waving"), travels=False),
        ("retarget", SOURCE, "waving", "-o", OUTPUT, "--in-place"),
        lambda page: page.done("bring-clip", source="waving", travels=False),
    ),
    Row(
        "bend_path",
        lambda: walking(rounds=2),
        lambda document: edits.bend_path(document, [(0.0, 0.0), (0.0, 1.0), (1.5, 1.5)]),
        ("bend-path", SOURCE, "0,0", "0,1", "1.5,1.5", "-o", OUTPUT),
        lambda page: page.done("bend-path", points=[0.0, 0.0, 0.0, 1.0, 1.5, 1.5]),
    ),
    Row(
        "travel",
        lambda: walking(rounds=2, in_place=True),
        edits.travel,
        ("travel", SOURCE, "-o", OUTPUT),
        lambda page: page.done("travel"),
    ),
    Row(
        "travel",
        lambda: walking(rounds=2),
        lambda document: edits.travel(document, in_place=True),
        ("travel", SOURCE, "-o", OUTPUT, "--in-place"),
        lambda page: page.done("travel", in_place=True),
        "in place",
    ),
    Row(
        "add",
        lambda: ib.example("waving"),
        lambda document: edits.add(document, ib.example("waving"), name="pal", position=(1.0, 0.0, 0.5), into="hello"),
        ("add", SOURCE, "waving", "-o", OUTPUT, "--name", "pal", "--position", "1,0,0.5"),
        lambda page: page.done("add-character", source="waving", name="pal", position=[1.0, 0.0, 0.5]),
    ),
    Row(
        "remove",
        lambda: edits.add(ib.example("waving"), ib.example("waving"), name="pal").document,
        lambda document: edits.remove(document, "pal"),
        ("remove", SOURCE, "pal", "-o", OUTPUT),
        lambda page: page.done("remove-character", name="pal"),
    ),
    Row(
        "clean",
        shaken,
        edits.clean,
        ("clean", SOURCE, "-o", OUTPUT),
        lambda page: page.done("clean-capture"),
    ),
    Row(
        "fit",
        captured,
        lambda document: edits.fit(document, tolerance=0.003),
        ("fit", SOURCE, "-o", OUTPUT, "--tolerance", "3"),
        lambda page: page.done("fit-keys", tolerance=0.003),
    ),
    Row(
        "suggest_contacts",
        lambda: ib.example("diver"),
        edits.suggest_contacts,
        ("contacts", SOURCE, "--add", "-o", OUTPUT),
        lambda page: page.done("suggest-contacts"),
    ),
    Row(
        "agree_poses",
        boxer,
        edits.agree_poses,
        ("contacts", SOURCE, "--agree", "-o", OUTPUT),
        lambda page: page.done("agree-poses"),
        "of all contacts",
    ),
    Row(
        "agree_poses",
        boxer,
        lambda document: edits.agree_poses(document, ["toe_r contact"]),
        ("contacts", SOURCE, "--agree", "--contact", "toe_r contact", "-o", OUTPUT),
        lambda page: page.done("agree-poses", constraint="toe_r contact"),
        "of one contact",
    ),
    Row(
        "hold",
        boxer,
        edits.hold,
        ("contacts", SOURCE, "--hold", "-o", OUTPUT),
        lambda page: page.done("hold-contacts"),
        "of contacts",
    ),
    Row(
        "hold",
        guitarist,
        edits.hold,
        ("contacts", SOURCE, "--hold", "-o", OUTPUT),
        lambda page: page.done("hold-contacts"),
        "of a hand on a guitar",
    ),
    Row(
        "remove_slide",
        boxer,
        edits.remove_slide,
        ("contacts", SOURCE, "--clean", "-o", OUTPUT),
        lambda page: page.done("remove-slide"),
        "of keyed motion",
    ),
    Row(
        "remove_slide",
        captured_stance,
        edits.remove_slide,
        ("contacts", SOURCE, "--clean", "-o", OUTPUT),
        lambda page: page.done("remove-slide"),
        "of captured motion",
    ),
]
