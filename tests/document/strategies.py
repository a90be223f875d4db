"""Whole documents for property tests, with names and numbers as nasty as they may be."""

import math

import numpy as np
from hypothesis import strategies as st

from inbetweener.curves import Curve
from inbetweener.document import Aim, CameraKey, Constraint, Document, Loosening, Prop, Sound, Source, Staging, View
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, PoseTarget, Spring, Target
from inbetweener.kinodynamics.soft import ElasticPart, SoftPart, SoftPoint, SpringyPart
from inbetweener.maths.solids import Box, Capsule, Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Attach, Clip, Curves, Layer
from inbetweener.rig import BlendedPoint, Joint, Place, Point, Rig, control, joint_channels
from inbetweener.skinning import BlendShape, Material, Mesh
from inbetweener.tangents import Contact, Pin
from tests.document.puppet import PAPER

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(lambda name: name.strip())
numbers = st.floats(allow_nan=False, allow_infinity=False)
seconds = st.floats(-5e3, 5e3)
vectors = st.tuples(numbers, numbers, numbers)
seeds = st.integers(0, 2**32)


def distinct(most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(names, unique=True, max_size=most)


@st.composite
def transforms(draw: st.DrawFn) -> Transform:
    half = draw(st.floats(-3, 3))
    return Transform(draw(vectors), (math.cos(half), 0.0, math.sin(half), 0.0), draw(vectors))


@st.composite
def rigs(draw: st.DrawFn) -> Rig:
    joints = tuple(
        Joint(name, draw(st.integers(-1, number - 1)), draw(transforms()), draw(st.sampled_from(["XYZ", "ZYX", "YZX"])))
        for number, name in enumerate(draw(distinct(4)))
    )
    channels = []
    for joint in joints:
        lower, upper = sorted((draw(numbers), draw(numbers)))
        limits = draw(st.sampled_from([(lower, upper), (-math.inf, upper), (lower, math.inf), (-math.inf, math.inf)]))
        channels += joint_channels(joint, "tx rx sz", limits={"rx": limits}, stiffness=draw(st.floats(1e-3, 1e3)))
    for name in draw(distinct(2)):
        if all(name != channel.name for channel in channels):
            channels.append(control(name, {f"{joint.name}.ry": draw(numbers) for joint in joints}))
    points = [Point(joint.name, draw(vectors), name) for joint, name in zip(joints, draw(distinct(2)), strict=False)]
    return Rig(joints, tuple(channels), tuple(points))


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    """Numbers of any size; widths small enough for time to run forward."""
    random = np.random.default_rng(draw(seeds))
    n = draw(st.integers(1, 5))
    times = np.cumsum(random.uniform(0.01, 1, n)) * draw(st.sampled_from([1e-6, 1.0, 1e9]))
    values = np.array(draw(st.lists(numbers, min_size=n, max_size=n)))
    if draw(st.booleans()):
        return Curve.sampled(times, values)
    width = np.diff(times).min() / 3 if n > 1 else 1.0
    handles = np.stack([random.uniform(0.1, 1, (2, n)) * width, random.normal(size=(2, n))], axis=-1)
    kinds = random.integers(0, 3, n)
    return Curve(times, values, handles[0], handles[1], kinds, random.random(n) < 0.5)


@st.composite
def meshes(draw: st.DrawFn, name: str, rig: Rig) -> Mesh:
    random = np.random.default_rng(draw(seeds))
    v, n = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    joints = tuple(joint.name for joint in rig.joints)
    weights = random.uniform(0.1, 1, (v, n))

    def perhaps(width: int) -> np.ndarray | None:
        return random.normal(size=(v, width)).astype(np.float32) if draw(st.booleans()) else None

    channels = [channel.name for channel in rig.channels]
    shapes = tuple(
        BlendShape(shape, draw(st.sampled_from(channels)), random.normal(size=(v, 3)), perhaps(3))
        for shape in draw(distinct(2))
    )
    return Mesh(
        name, random.normal(size=(v, 3)), random.integers(0, v, (draw(st.integers(0, 3)), 3)), joints,
        random.normal(size=(len(joints), 3, 4)), random.integers(0, len(joints), (v, n)),
        weights / weights.sum(axis=1, keepdims=True), perhaps(3), perhaps(2), perhaps(4), shapes,
        Material(
            draw(st.text(max_size=3)), (*draw(vectors), 1.0), draw(st.sampled_from([None, PAPER])), draw(st.booleans())
        ),
    )  # fmt: skip


@st.composite
def props(draw: st.DrawFn, name: str, rig: Rig) -> Prop:
    sizes = st.floats(1e-3, 1e3)
    solid = draw(
        st.builds(Sphere, sizes) | st.builds(Box, st.tuples(sizes, sizes, sizes)) | st.builds(Capsule, sizes, sizes)
    )
    joint = draw(st.sampled_from([None, *(joint.name for joint in rig.joints)]))
    return Prop(name, solid, draw(transforms()), draw(st.sampled_from(["prop", "obstacle"])), joint, draw(vectors))


@st.composite
def clips(draw: st.DrawFn, name: str, rig: Rig) -> Clip:
    def some() -> Curves:
        if not rig.channels:
            return Curves()
        chosen = draw(st.sets(st.sampled_from([channel.name for channel in rig.channels]), max_size=3))
        return Curves({channel: draw(curves()) for channel in sorted(chosen)})

    layers = tuple(
        Layer(
            each,
            some(),
            draw(numbers),
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.booleans()),
            weights=next(iter(some().values()), None),
        )
        for each in draw(distinct(2))
    )
    start, end = sorted((draw(seconds), draw(seconds)))
    return Clip(name, end, start, draw(st.floats(1e-3, 1e2)), some(), layers, draw(st.booleans()))


@st.composite
def places(draw: st.DrawFn, rig: Rig) -> Place:
    joints = st.sampled_from([joint.name for joint in rig.joints])
    points = st.builds(Point, joints, vectors, st.just("") | names)
    if draw(st.booleans()):
        return draw(points)
    weights = draw(st.sampled_from([(1.0,), (0.75, 0.25), (0.5, 0.3, 0.2)]))
    return BlendedPoint(tuple((draw(points), weight) for weight in weights), draw(st.just("") | names))


@st.composite
def constraints(draw: st.DrawFn, name: str, rig: Rig, clips: tuple[Clip, ...]) -> Constraint:
    start, end = sorted((draw(numbers), draw(numbers)))
    place, wanted = draw(places(rig)), draw(st.sampled_from(["position", "orientation", "both"]))
    own = {point.joint for point, _ in place.parts}
    others = [joint.name for joint in rig.joints if joint.name not in own][:2]
    rule = draw(
        st.sampled_from(
            [
                Pin(place, wanted),
                Pin(place, wanted, start),
                Pin(place, wanted, end=end),
                Pin(place, wanted, start, start),
                Contact(place, start, end, wanted),
                Contact(place, start, end, wanted, tolerance=0.5),
                *(Attach(place, joint, start, end, wanted) for joint in others),
            ]
        )
    )
    return Constraint(name, draw(st.sampled_from(clips)).name, rule, draw(st.booleans()))


@st.composite
def targets(draw: st.DrawFn, rig: Rig, clip: Clip, skins: tuple[Mesh, ...]) -> Target:
    time, weight = draw(st.sampled_from([clip.start, clip.end])), draw(st.floats(1e-3, 1e3))
    bell = draw(
        st.builds(Bell, st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.sampled_from(["gaussian", "polynomial"]))
        | st.just(Bell(drawn=((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))))
    )
    channels = [channel.name for channel in rig.channels]
    if draw(st.booleans()):
        values = st.dictionaries(st.sampled_from(channels), numbers, max_size=3)
        velocity = draw(st.sampled_from([None, "keyed", "still"]))
        return PoseTarget(time, draw(st.just("keyed") | values), velocity, weight, bell)
    half = draw(st.floats(-3, 3))
    turn = draw(st.sampled_from([None, "keyed", (math.cos(half), 0.0, 0.0, math.sin(half))]))
    position, velocity = draw(st.just("keyed") | vectors), draw(st.none() | st.just("keyed") | vectors)
    chosen = draw(st.none() | st.frozensets(st.sampled_from(channels), max_size=3))
    vertices = [SoftPoint(mesh.name, len(mesh.vertices) - 1) for mesh in skins]
    place = draw(places(rig) | st.sampled_from(vertices) if vertices else places(rig))
    held = time < clip.end and velocity is None and not isinstance(place, SoftPoint) and draw(st.booleans())
    return PointTarget(time, place, position, turn, velocity, weight, bell, chosen, clip.end if held else None)


@st.composite
def soft_parts(draw: st.DrawFn, mesh: Mesh, rig: Rig, springs: st.SearchStrategy[Spring]) -> SoftPart:
    joint, shares = draw(st.sampled_from([joint.name for joint in rig.joints])), st.floats(0.01, 0.45)
    sizes = draw(shares), draw(st.integers(2, 40)), draw(st.integers(1, 200)), draw(shares)
    if draw(st.booleans()):
        return SpringyPart(mesh.name, joint, draw(springs), draw(st.sampled_from(["joint", "world"])))
    return ElasticPart(mesh.name, joint, draw(springs), *sizes)


@st.composite
def loosenings(draw: st.DrawFn, rig: Rig, clip: Clip, skins: tuple[Mesh, ...]) -> Loosening:
    springs = st.builds(Spring, st.floats(1e-3, 1e3), st.floats(0, 100))
    loose = [each.name for each in (*rig.joints, *rig.channels)]
    looseness = Looseness(
        draw(st.dictionaries(st.sampled_from(loose), springs, max_size=4)),
        draw(st.sampled_from(["auto", "adaptive"])),
        draw(st.floats(1e-9, 1e3)),
        draw(st.floats(-9, 9)),
        draw(st.floats(0, 1)),
        draw(st.sampled_from(["boxes", "human"])),
        draw(st.booleans()),
        tuple(draw(soft_parts(mesh, rig, springs)) for mesh in skins if draw(st.booleans())),
    )
    aims = tuple(Aim(name, draw(targets(rig, clip, skins)), draw(st.booleans())) for name in draw(distinct(3)))
    return Loosening(clip.name, looseness, draw(st.booleans()), aims)


sounds = st.builds(Sound, names, st.binary(max_size=20).map(lambda rest: b"OggS" + rest), numbers, st.booleans())


cameras = st.lists(st.integers(0, 99), max_size=3, unique=True).map(
    lambda times: tuple(CameraKey(t / 8, (t, 1.0, 4.0), (0.5, 0.25, 0.125), 0.1 + t / 99) for t in sorted(times))
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    rig = draw(rigs())
    views = st.builds(View, vectors, st.just((0.5, 0.25, 0.125)), st.floats(0.01, 3))
    made = tuple(draw(clips(name, rig)) for name in draw(distinct(3)))
    skins = tuple(draw(meshes(name, rig)) for name in draw(distinct(2))) if rig.joints else ()
    return Document(
        name=draw(names),
        rig=rig,
        meshes=skins,
        props=tuple(draw(props(name, rig)) for name in draw(distinct(2))),
        clips=made,
        view=draw(st.none() | views),
        source=draw(st.none() | st.builds(Source, names, st.floats(1e-6, 1e6), st.sampled_from(["y", "z"]))),
        constraints=tuple(draw(constraints(name, rig, made)) for name in draw(distinct(3)) if rig.joints and made),
        loosenings=tuple(draw(loosenings(rig, clip, skins)) for clip in made if rig.joints and draw(st.booleans())),
        stagings=tuple(Staging(clip.name, draw(sounds), draw(cameras)) for clip in made if draw(st.booleans())),
    )
