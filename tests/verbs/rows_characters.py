"""Verbs on what a character is: stiffness, limits, masses, handles and skin."""

import inbetweener as ib
from inbetweener.builtin.characters.bar import bar
from inbetweener.document import edits
from tests.retarget.people import person, twisted
from tests.studio.documents import arm
from tests.verbs.table import OUTPUT, SOURCE, Row

ROWS = [
    Row(
        "free",
        arm,
        lambda d: edits.free(d, ["hand.rz"], free=False),
        ("free", SOURCE, "hand.rz", "-o", OUTPUT, "--hold"),
        lambda page: page.done("set-free", channels=["hand.rz"], free=False),
    ),
    Row(
        "prepare",
        lambda: ib.example("waving"),
        lambda d: edits.prepare(d, limits="hard", total=40.0),
        ("prepare", SOURCE, "-o", OUTPUT, "--limits", "hard", "--total", "40"),
        lambda page: page.done("prepare", limits="hard", total=40.0),
    ),
    Row(
        "follow_twists",
        lambda: twisted(person()),
        edits.follow_twists,
        ("twists", SOURCE, "-o", OUTPUT),
        lambda page: page.done("follow-twists"),
    ),
    Row(
        "give_handles",
        lambda: ib.example("waving"),
        lambda d: edits.give_handles(d, ["right_hand", "left_foot"], body=False),
        ("handles", SOURCE, "-o", OUTPUT, "--limb", "right_hand", "--limb", "left_foot", "--no-body"),
        lambda page: page.done("give-handles", limbs=["right_hand", "left_foot"], body=False),
    ),
    Row(
        "take_handles",
        lambda: edits.give_handles(ib.example("waving")).document,
        lambda d: edits.take_handles(d, ["right_hand"]),
        ("handles", SOURCE, "-o", OUTPUT, "--take", "--limb", "right_hand"),
        lambda page: page.done("take-handles", limbs=["right_hand"]),
    ),
    Row(
        "switch_limb",
        lambda: edits.give_handles(ib.example("waving")).document,
        lambda d: edits.switch_limb(d, "right_hand", "fk", frames=(12, 36)),
        ("switch", SOURCE, "right_hand", "fk", "-o", OUTPUT, "--frames", "12:36"),
        lambda page: page.done("switch-limb", limb="right_hand", to="fk", start=0.5, end=1.5),
    ),
    Row(
        "skin",
        bar,
        lambda d: edits.skin(d, "differential"),
        ("skin", SOURCE, "-o", OUTPUT, "--method", "db"),
        lambda page: page.done("set-blending", blending="differential"),
    ),
    Row(
        "skin",
        lambda: bar(2, 0.0),
        lambda d: edits.skin(d, weights="auto"),
        ("skin", SOURCE, "-o", OUTPUT, "--weights", "auto"),
        lambda page: page.done("bind-skin"),
        about="with new weights",
    ),
    Row(
        "stiffen",
        lambda: ib.example("waving"),
        lambda d: edits.stiffen(d, "supple"),
        ("stiffen", SOURCE, "supple", "-o", OUTPUT),
        lambda page: page.done("stiffen-as", preset="supple"),
    ),
]
