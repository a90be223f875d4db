"""A hand held in the space of a cup that the other hand carries: both bodies move, and what is between them stays."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from inbetweener.builtin import example
from inbetweener.contacts import hold
from inbetweener.curves import Curve
from inbetweener.document import Document, Prop, edits
from inbetweener.guidance import GuideRequest, build, guide
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Attach, Clip, Curves, Motion
from inbetweener.posing import PoseDrag, PoseRequest, Pull, State
from inbetweener.rig import Bend, Joint, Point, Rig, bend_channel, chains, joint_channels
from inbetweener.rig.freedom import Wanted, channels_moving
from inbetweener.tangents import Drag, DragRequest
from inbetweener.tangents.workspace import Workspace

PALM = Point("hand_r", (0.05, 0.01, 0.02), "palm")


def body(*, bent: bool = False, scaled: bool = False) -> Rig:
    """Hips, a chest and two arms of two bones and a hand; its bones may be bent, and a forearm scaled."""
    joints = [Joint("hips", -1, Transform((0.0, 1.0, 0.0))), Joint("chest", 0, Transform((0.0, 0.4, 0.0)))]
    for side, sign in (("l", 1.0), ("r", -1.0)):
        joints.append(Joint(f"arm_{side}", 1, Transform((0.2 * sign, 0.1, 0.0))))
        joints.append(Joint(f"elbow_{side}", len(joints) - 1, Transform((0.1 * sign, -0.3, 0.05)), "XYZ"))
        joints.append(Joint(f"hand_{side}", len(joints) - 1, Transform((-0.1 * sign, -0.1, 0.25))))
    channels = [*joint_channels(joints[0], "tx ty tz rx ry rz")]
    channels += [channel for joint in joints[1:] for channel in joint_channels(joint, "rx ry rz")]
    if scaled:
        channels += joint_channels(joints[3], "sx sz")
    rig = Rig(tuple(joints), tuple(channels), (PALM,))
    if not bent:
        return rig
    rng = np.random.default_rng(2)
    screws = {name: rng.normal(size=(6, 6)) * ([0.08] * 3 + [0.003] * 3) for name in ("chest", "elbow_l", "arm_r")}
    return replace(rig, channels=(*rig.channels, bend_channel("sketch")), bends=(Bend("sketch", "sketch", screws),))


def keyed(values: list[float]) -> Curve:
    times = np.arange(len(values)) * 0.5
    slopes = np.gradient(np.array(values), times)
    ends = np.stack([np.full(len(times), 0.16), 0.16 * slopes], axis=1)
    return Curve(times, np.array(values), ends, ends, np.full(len(times), 2, np.uint8), np.ones(len(times), np.bool_))


def carrying(rig: Rig) -> Motion:
    """The body walks about while both arms keep their pose."""
    rng = np.random.default_rng(7)
    curves = {}
    for channel in rig.channels:
        resting = channel.default + 0.25 * rng.normal()
        moves = channel.name.startswith("hips")
        curves[channel.name] = keyed([resting + 0.2 * rng.normal() * moves for _ in range(4)])
    return Motion(rig, Clip("carry", end=1.5, curves=Curves(curves)))


def apart(motion: Motion, times: np.ndarray, point: Point = PALM, joint: str = "hand_l") -> np.ndarray:
    """Where the point is in the frame of the joint, in plain numpy."""
    (at, _), (base, turn) = motion.states(times, point), motion.states(times, Point(joint))
    return np.stack([turn[t].T @ (at[t] - base[t]) for t in range(len(times))])


def looks(motion: Motion, start: float, end: float) -> np.ndarray:
    return np.linspace(start, end, round((end - start) * motion.clip.rate * 8) + 1)


def farthest(before: Motion, after: Motion, start: float = 0.0, end: float = 1.5) -> float:
    times = looks(before, start, end)
    kept = apart(before, np.array([start]))
    return float(np.linalg.norm(apart(after, times) - kept, axis=1).max())


@pytest.mark.parametrize("carried", ["hand_l", "elbow_l"])
def test_the_hand_follows_the_cup_that_is_dragged(carried: str) -> None:
    motion = carrying(body())
    height = chains.size(motion.rig)
    drag = Drag(motion, DragRequest(Point(carried), 0.7, constraints=(Attach(PALM, "hand_l", 0.0, 1.5),)))
    assert not drag.solution.z.any()
    start = motion.states([0.7], Point(carried))[0][0]
    assert drag.to(start + np.array([0.02, 0.03, 0.01])).reached
    after = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    assert np.linalg.norm(after.states([0.7], Point(carried))[0][0] - start) > 0.03
    times = looks(motion, 0.0, 1.5)
    assert np.linalg.norm(after.states(times, PALM)[0] - motion.states(times, PALM)[0], axis=1).max() > 0.01, "it came"
    assert farthest(motion, after) < 1e-4 * height
    (held,) = drag.certificate().constraints
    assert held.distance == pytest.approx(farthest(motion, after), abs=1e-6)
    assert held.name == "palm on hand_l"
    assert held.holds


def test_without_it_the_hand_lets_go() -> None:
    motion = carrying(body())
    drag = Drag(motion, DragRequest(Point("hand_l"), 0.7))
    drag.to(motion.states([0.7], Point("hand_l"))[0][0] + np.array([0.02, 0.03, 0.01]))
    after = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    assert farthest(motion, after) > 0.01


def test_dragged_hips_carry_both() -> None:
    motion = carrying(body())
    drag = Drag(motion, DragRequest(Point("hips"), 0.7, constraints=(Attach(PALM, "hand_l", 0.0, 1.5, "both"),)))
    drag.to(drag.start_position + np.array([0.05, 0.02, 0.0]))
    after = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    assert farthest(motion, after) < 1e-9


def test_what_carries_both_leaves_it_as_it_is() -> None:
    rig = body()
    names = {rig.channels[c].name for c in channels_moving(rig, PALM, "position", "hand_l")}
    assert not {name for name in names if name.startswith(("hips", "chest"))}
    assert {"arm_l.rx", "hand_l.rz", "arm_r.rx", "hand_r.rz"} <= names
    on_chest = {rig.channels[c].name for c in channels_moving(rig, PALM, "position", "chest")}
    assert on_chest == {f"{joint}_r.r{axis}" for joint in ("arm", "elbow", "hand") for axis in "xyz"}


@pytest.mark.parametrize("bent", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_its_derivatives_by_all_channels_agree_with_central_differences(bent: bool, scaled: bool) -> None:
    rig = body(bent=bent, scaled=scaled)
    rng = np.random.default_rng(4)
    pose = rig.defaults + 0.3 * rng.normal(size=len(rig.channels))
    rule = Attach(PALM, "hand_l", 0.0, 1.0, "both")
    exact = rule.jacobian(rig.posed(pose[None]))[0]
    errors = []
    for step in (1e-3, 1e-4):
        sides = [rule.seen(rig.posed(pose + sign * step * np.eye(len(pose)))) for sign in (1.0, -1.0)]
        turned = sides[0][1] @ np.swapaxes(sides[1][1], -1, -2)
        coarse = np.concatenate([sides[0][0] - sides[1][0], Rotation.from_matrix(turned).as_rotvec()], axis=1).T
        errors.append(np.abs(coarse / (2 * step) - exact).max())
        assert errors[-1] > 0.0
    assert errors[0] < 1e-4
    assert errors[1] < 2e-2 * errors[0] + 1e-10
    for joint in ("arm_l", "arm_r"):
        assert np.abs(exact[:, rig.channel_index(f"{joint}.rx")]).max() > 0.05, "both bodies count"
    assert np.abs(exact[:, rig.channel_index("hips.rx")]).max() < 1e-12


@pytest.mark.parametrize(("wanted", "away"), [("position", 0.0), ("position", 0.02), ("both", 0.0)])
def test_rows_of_a_drag_agree_with_central_differences(wanted: Wanted, away: float) -> None:
    """Of turns where they are on target: elsewhere rows are velocities, and rotation vectors bend a little."""
    motion = carrying(body(bent=True))
    rule = Attach(PALM, "hand_l", 0.2, 1.2, wanted)
    drag = Drag(motion, DragRequest(Point("elbow_l"), 0.7, constraints=(rule,)))
    work = Workspace(drag.problem)
    rng = np.random.default_rng(1)
    z = away * rng.normal(size=len(work.z))
    work.evaluate(z)
    first = work.dragged_rows
    exact = work.derivatives[first:].copy()
    errors = []
    for step in (1e-3, 1e-4):
        columns = []
        for i in range(len(z)):
            sides = []
            for sign in (1.0, -1.0):
                work.evaluate(z + sign * step * np.eye(len(z))[i])
                sides.append(work.errors[first:].copy())
            columns.append((sides[1] - sides[0]) / (2 * step))
        errors.append(np.abs(np.stack(columns, axis=1) - exact).max())
    assert np.abs(exact).max() > 0.05
    assert errors[0] < 1e-3
    assert errors[1] < 2e-2 * errors[0] + 1e-9


def test_a_pulled_pose_keeps_it() -> None:
    rig = body()
    pose = carrying(rig).channels([0.5])[0]
    rule = Attach(PALM, "hand_l", 0.0, 1.0, "both")
    before = rule.seen(rig.posed(pose[None]))
    drag = PoseDrag(rig, pose, PoseRequest((Pull(Point("hand_l")),), (rule,)))
    np.testing.assert_array_equal(drag.commit(), pose)
    assert drag.start[0].position is not None
    solution = drag.to(State(drag.start[0].position + np.array([0.04, 0.03, 0.02])))
    assert solution.reached
    after = rule.seen(rig.posed(solution.channels[None]))
    assert np.linalg.norm(after[0] - before[0]) < 1e-4 * chains.size(rig)
    assert np.abs(after[1] - before[1]).max() < 2e-4
    assert np.abs(solution.channels - pose)[[rig.channel_index(f"arm_{side}.rx") for side in "lr"]].min() > 1e-3
    assert drag.certificate().pins[0].distance < 1e-4 * chains.size(rig)


def test_guidance_keeps_it_and_its_rows_are_exact() -> None:
    motion = carrying(body())
    drag = Drag(motion, DragRequest(Point("elbow_l"), 0.7, constraints=(Attach(PALM, "hand_l", 0.0, 1.5),)))
    drag.to(drag.start_position + np.array([0.02, 0.03, 0.01]))
    moving = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    rule = Attach(PALM, "hand_l", 0.5, 1.0)
    problem = build(moving, GuideRequest(start=0.5, end=1.0, constraints=(rule,), regularise=0.1))
    x = problem.parameters.start
    exact = problem.held.errors(x, derive=True)[1]
    step = 1e-5
    sides = [problem.held.errors(x + sign * step * row)[0] for row in np.eye(len(x)) for sign in (1, -1)]
    coarse = (np.array(sides[::2]) - np.array(sides[1::2])).T / (2 * step)
    assert np.abs(exact).max() > 1e-2
    assert np.abs(coarse - exact).max() < 1e-6
    last = guide(problem).finish()
    assert farthest(moving, last.motion, 0.5, 1.0) < 2e-4 * chains.size(motion.rig)


def test_tangents_bring_back_a_hand_that_left() -> None:
    motion = carrying(body())
    drag = Drag(motion, DragRequest(Point("hand_l"), 0.7))
    drag.to(drag.start_position + np.array([0.02, 0.03, 0.01]))
    apart_now = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    result = hold(apart_now, [Attach(PALM, "hand_l", 0.5, 1.0)])
    (slide,) = result.report
    assert slide.before > 0.01
    assert slide.after < 1e-3
    after = Motion(motion.rig, replace(motion.clip, curves=result.curves))
    assert farthest(apart_now, after, 0.5, 1.0) < 1e-3


def test_a_guitarists_hand_stays_on_the_neck_while_the_elbow_is_dragged() -> None:
    document = example("guitarist")
    guitar = next(prop for prop in document.props if prop.joint is not None)
    motion, palm = document.motion(), document.rig.point("hand_l")
    rule = Attach(palm, guitar.joint, 8 / 24, 16 / 24, prop=guitar.name)
    drag = Drag(motion, DragRequest(Point("forearm_l"), 12 / 24, constraints=(rule,)))
    drag.to(drag.start_position + np.array([0.0, 0.03, 0.01]))
    after = Motion(motion.rig, replace(motion.clip, curves=drag.commit()))
    times = looks(motion, 8 / 24, 16 / 24)
    assert guitar.joint is not None
    kept, now = (apart(each, times, palm, guitar.joint) for each in (motion, after))
    moved = np.linalg.norm(
        after.states(times, Point("forearm_l"))[0] - motion.states(times, Point("forearm_l"))[0], axis=1
    )
    assert moved.max() > 0.01
    allowed = 1e-4 * chains.size(motion.rig) + np.linalg.norm(kept - kept[0], axis=1).max()
    assert np.linalg.norm(now - kept[0], axis=1).max() <= allowed


def test_a_tolerance_of_its_own() -> None:
    motion = carrying(body())
    rule = Attach(PALM, "hand_l", 0.0, 1.5, "both", tolerance=0.01)
    problem = Drag(motion, DragRequest(Point("hand_l"), 0.7, constraints=(rule,))).problem
    height, rows = problem.height, problem.row_tolerances
    mine = problem.items.row_owners() == 0
    turns = problem.items.view.turns
    np.testing.assert_allclose(rows[mine & ~turns], 0.01 / height)
    np.testing.assert_allclose(rows[mine & turns], 0.01)
    np.testing.assert_allclose(rows[~mine], problem.settings.tolerance)


def with_cup(joint: str | None = "hand_l") -> Document:
    motion = carrying(body())
    cup = Prop("cup", Sphere(0.05), Transform((0.0, 0.0, 0.05)), joint=joint)
    document = Document("carrying", motion.rig, props=(cup,), clips=(motion.clip,))
    return edits.add_constraint(document, "carry", Attach(PALM, joint, 0.0, 1.5, prop="cup"))


def test_the_document_keeps_it_through_renames() -> None:
    document = with_cup()
    assert [each.name for each in document.constraints] == ["palm on cup"]
    renamed = edits.rename_joint(document, "hand_l", "left")
    assert renamed.constraints[0].rule == Attach(PALM, "left", 0.0, 1.5, prop="cup")
    mug = edits.replace_prop(document, "cup", replace(document.props[0], name="mug", joint="elbow_l"))
    assert (mug.constraints[0].name, mug.constraints[0].rule.base) == ("palm on mug", "elbow_l")
    assert edits.remove_prop(document, "cup").constraints == ()
    palm = edits.rename_joint(document, "hand_r", "right")
    assert palm.constraints[0].rule.point.parts[0][0].joint == "right"


def test_a_cup_that_nothing_carries_stands_in_the_world() -> None:
    (rule,) = with_cup(None).rules()
    assert rule.is_planted
    assert rule.base is None


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (Attach(PALM, "tail", 0.0, 1.0), "attached to unknown joint 'tail'"),
        (Attach(PALM, "hand_l", 0.0, 1.0, prop="plate"), "attached to unknown prop 'plate'"),
        (Attach(PALM, None, 0.0, 1.0), "attached to nothing"),
        (Attach(PALM, "hand_r", 0.0, 1.0), "sits on 'hand_r' itself"),
        (Attach(PALM, "hand_l", 1.0, 0.0), "before its start"),
        (Attach(PALM, "hand_l", -np.inf, 0.0), "must be finite"),
        (Attach(PALM, "hand_l", 0.0, 1.0, tolerance=-1.0), "tolerance -1 must be positive"),
    ],
)
def test_what_cannot_be_is_refused(rule: Attach, why: str) -> None:
    with pytest.raises(Exception, match=why):
        edits.add_constraint(with_cup(), "carry", rule)
