"""Skins that matrices do not tell: whoever blends the plan and the differentials gets what the server's skin has."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inbetweener.arrays import Floats
from inbetweener.builtin.characters.bar import bar
from inbetweener.curves import Curve
from inbetweener.document import Document, edits
from inbetweener.maths import dual_quaternions
from inbetweener.motion import Clip, Curves
from inbetweener.rig import Bend
from inbetweener.rig.channel import bend_channel, joint_channels
from inbetweener.skinning import BLENDINGS, Mesh, Skin
from tests.studio.documents import smooth
from tests.studio.pages import Arrays, PageForTests, differences, session_of


def twisted_bar(*, bent: bool) -> Document:
    """A bar that turns through three turns, and bends where it may."""
    document = bar(3)
    rig = document.rig
    curves = {
        "bar_2.rx": smooth([0.0, 1.0], [0.0, 6.0 * np.pi]),
        "bar_3.rz": smooth([0.0, 0.5, 1.0], [0.0, 1.2, -0.4]),
    }
    if bent:
        screws = np.zeros((10, 6))
        screws[:, 2], screws[:, 0] = 0.12, 0.3
        rig = replace(
            rig, channels=(*rig.channels, bend_channel("curl")), bends=(Bend("curl", "curl", {"bar_2": screws}),)
        )
        curves["curl"] = smooth([0.0, 0.6, 1.0], [0.0, 1.0, 0.4])
    document = replace(document, rig=rig)
    return edits.add_clip(document, _clip(curves))


def _clip(curves: dict[str, Curve]) -> Clip:
    return Clip("turn", 1.0, rate=12.0, curves=Curves(curves))


@pytest.fixture(params=[False, True], ids=["straight", "bent"])
def page(request: pytest.FixtureRequest) -> Iterator[PageForTests]:
    session = session_of(twisted_bar(bent=request.param))
    yield PageForTests(session)
    session.stop()


def read_plan(data: bytes) -> dict[str, Any]:
    """A plan, read by its description alone."""
    arrays = Arrays(data, 16)
    vertices, nodes, entries, kind = np.frombuffer(data, "<u4", 4).tolist()
    plan = {
        "kind": kind,
        "parents": arrays.take("<i4", nodes),
        "prefixes": arrays.take("<i4", vertices),
        "starts": arrays.take("<u4", vertices + 1),
        "nodes": arrays.take("<i4", entries),
        "weights": arrays.take("<f4", entries),
    }
    if kind == 0:
        plan["fractions"] = arrays.take("<f4", entries)
    arrays.end()
    return plan


def composed(parents: Floats, differentials: Floats) -> Floats:
    result = np.empty_like(differentials)
    for n, parent in enumerate(parents):
        result[n] = differentials[n] if parent < 0 else dual_quaternions.product(result[parent], differentials[n])
    return result


def blended(plan: dict[str, Any], blending: str, told: Floats, vertices: Floats, some: Floats) -> Floats:
    """Some of the vertices after the plan, one by one, as slowly as can be."""
    differentials, one = told.astype(np.float64), np.array(dual_quaternions.IDENTITY)
    q, result = composed(plan["parents"], differentials), np.empty((len(some), 3))
    for row, v in enumerate(some):
        point, entries = vertices[v].astype(np.float64), slice(plan["starts"][v], plan["starts"][v + 1])
        nodes, weights = plan["nodes"][entries], plan["weights"][entries].astype(np.float64)
        if plan["kind"] == 1:
            whole = one if plan["prefixes"][v] < 0 else q[plan["prefixes"][v]]
            step = one.copy()
            for node, weight in zip(nodes, weights, strict=True):
                step += abs(weight) * (differentials[node] - one)
                if weight < 0:
                    whole, step = dual_quaternions.product(whole, step), one.copy()
        else:
            fractions = plan["fractions"][entries].astype(np.float64)
            each = dual_quaternions.product(q[nodes], dual_quaternions.power(differentials[nodes], fractions - 1.0))
            if blending == "linear":
                result[row] = weights @ dual_quaternions.apply(each, point)
                continue
            mean = dual_quaternions.screw_mean if blending == "screw" else dual_quaternions.blended
            whole = mean(weights, each)
        result[row] = dual_quaternions.apply(dual_quaternions.normalised(whole), point)
    return result


@pytest.mark.parametrize("blending", BLENDINGS)
def test_plan_and_differentials_make_the_skin(page: PageForTests, blending: str) -> None:
    if blending == "linear" and not page.session.editor.document.rig.bends:
        assert page.known.plans == {}
        return
    page.done("set-blending", blending=blending)
    page.fetch_all()
    document = page.session.editor.document
    mesh, poses = document.meshes[0], document.motion().channels(document.clip().frame_times)
    skin = Skin(mesh, document.rig, document.blending, poses=poses)
    data = page.session.plans.arrays(page.known.plans[0])
    assert data is not None
    plan = read_plan(data)
    some = np.arange(0, len(mesh.vertices), 37)
    for frame in (1, 7, 11):
        found = blended(plan, blending, page.known.blends[0, frame][0], mesh.vertices, some)
        np.testing.assert_allclose(found, skin.vertices(poses[frame])[some], atol=2e-5)


def test_scaled_joints_bring_stretches() -> None:
    document = twisted_bar(bent=False)
    growing = joint_channels(document.rig.joints[1], "sx sy sz")
    document = replace(
        document, rig=replace(document.rig, channels=(*document.rig.channels, *growing)), blending="differential"
    )
    document = edits.set_curves(document, "turn", {"bar_2.sy": smooth([0.0, 1.0], [1.0, 1.5])})
    session = session_of(document)
    page = PageForTests(session)
    try:
        poses = document.motion().channels(document.clip().frame_times)
        skin = Skin(document.meshes[0], document.rig, "differential", poses=poses)
        for frame in (0, 6, 12):
            wanted = skin.stretches(poses[frame])
            found = page.known.blends[0, frame][1]
            np.testing.assert_allclose(
                found, np.broadcast_to(np.eye(3, 4), found.shape) if wanted is None else wanted, atol=1e-6
            )
        assert skin.stretches(poses[12]) is not None
    finally:
        session.stop()


def test_meshes_on_one_straight_joint_need_no_plan() -> None:
    document = replace(twisted_bar(bent=True), blending="differential")
    whole = document.meshes[0]
    one = Mesh.rigid("one", "bar_3", whole.vertices, whole.triangles)
    on_bent = Mesh.rigid("on bent", "bar_2", whole.vertices, whole.triangles)
    session = session_of(replace(document, meshes=(one, on_bent)))
    try:
        assert list(PageForTests(session).known.plans) == [1]
    finally:
        session.stop()


steps = st.lists(
    st.one_of(
        st.sampled_from(BLENDINGS).map(lambda blending: ("set-blending", {"blending": blending})),
        st.just(("undo", {})),
        st.just(("redo", {})),
        st.floats(-12.0, 12.0).map(lambda value: ("turn", value)),
        st.floats(-2.0, 2.0).map(lambda value: ("curl", value)),
        st.sampled_from([("hold", None), ("catch up", None)]),
    ),
    max_size=8,
)


@settings(max_examples=60)
@given(steps, st.booleans())
def test_a_page_knows_the_plans_that_a_page_that_joins_is_told(steps: list[tuple[str, Any]], cancels: bool) -> None:
    session = session_of(twisted_bar(bent=True))
    page = PageForTests(session)
    try:
        for kind, what in steps:
            if kind == "hold":
                page.hold()
            elif kind == "catch up":
                page.catch_up()
            elif kind in ("turn", "curl"):
                channel = {"turn": "bar_3.rz", "curl": "curl"}[kind]
                page.begin("set-value", channel=channel, time=0.4)
                page.move(what)
                page.move(0.5 * what)
                page.done("cancel" if cancels else "commit", gesture=1)
            else:
                page.ask(kind, **what)
        page.catch_up()
        page.fetch_all()
        fresh = PageForTests(session)
        fresh.fetch_all()
        assert differences(page.known, fresh.known) == []
    finally:
        session.stop()


def test_a_moving_hand_keeps_its_plan_and_letting_go_chooses_anew() -> None:
    session = session_of(replace(twisted_bar(bent=False), blending="differential"))
    page = PageForTests(session)
    try:
        before = dict(page.known.plans)
        page.begin("set-value", channel="bar_3.rz", time=0.5)
        page.move(9.0)
        assert page.known.plans == before
        page.done("commit", gesture=1)
        assert page.known.plans != before
        page.done("undo")
        assert page.known.plans == before
    finally:
        session.stop()
