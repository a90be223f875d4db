"""Any number of different edits, each chosen by a seed alone: the same seed on equal documents does the same."""

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

from inbetweener.curves import Curve, Key, Tangent
from inbetweener.document import Document, Prop, View, edits
from inbetweener.kinodynamics import Bell, Looseness, PointTarget, PoseTarget, Spring
from inbetweener.kinodynamics.soft import SpringyPart
from inbetweener.maths.solids import Sphere
from inbetweener.maths.transforms import Transform
from inbetweener.motion import Attach, Clip, Constraint, Contact, Kernel, Layer, Pin
from inbetweener.rig import BlendedPoint, Point

RandomEdit = Callable[[Document, Random], Document]


def edited(document: Document, seed: int) -> Document:
    """The document after the edit that the seed chooses."""
    random = Random(seed)
    return random.choice(EDITS)(document, random)


def curve(random: Random) -> Curve:
    """One to four keys, any kinds of segments."""
    times = [random.uniform(0, 0.3) + 0.5 * k for k in range(random.randint(1, 4))]
    return Curve.from_keys(
        Key(
            time,
            random.gauss(0, 1),
            Tangent(random.uniform(0.01, 0.06), random.gauss(0, 1)),
            Tangent(random.uniform(0.01, 0.06), random.gauss(0, 1)),
            random.choice(["constant", "linear", "bezier"]),
            random.random() < 0.5,
        )
        for time in times
    )


def rename(document: Document, random: Random) -> Document:
    return edits.rename_document(document, f"take {random.randint(1, 9999)}")


def look(document: Document, random: Random) -> Document:
    view = None if random.random() < 0.3 else View((random.random(), 1.0, 4.0), (0.0, 0.0, 0.0))
    return edits.set_view(document, view)


def place_prop(document: Document, random: Random) -> Document:
    if document.props and random.random() < 0.4:
        return edits.remove_prop(document, random.choice(document.props).name)
    if document.props and random.random() < 0.5:
        old = random.choice(document.props)
        return edits.replace_prop(document, old.name, replace(old, transform=Transform((random.random(), 0.0, 0.0))))
    return edits.add_prop(document, Prop(_new_name(random), Sphere(random.uniform(0.1, 1))))


def change_clips(document: Document, random: Random) -> Document:
    if len(document.clips) < 2:
        return edits.add_clip(document, Clip(_new_name(random), random.uniform(0, 5)))
    name = random.choice(document.clips).name
    actions: list[RandomEdit] = [
        lambda d, r: edits.remove_clip(d, name),
        lambda d, r: edits.rename_clip(d, name, _new_name(r)),
        lambda d, r: edits.duplicate_clip(d, name, _new_name(r)),
        lambda d, r: edits.set_clip_range(d, name, *_stretch(d, name, r)),
        lambda d, r: edits.set_clip_rate(d, name, r.uniform(12, 60)),
        lambda d, r: edits.set_clip_loops(d, name, r.random() < 0.5),
        lambda d, r: edits.set_kernels(d, name, [Kernel(r.random(), 0.1, r.random()) for _ in range(r.randrange(3))]),
    ]
    return random.choice(actions)(document, random)


def change_layers(document: Document, random: Random) -> Document:
    if not document.clips:
        return change_clips(document, random)
    clip = random.choice(document.clips)
    if not clip.layers or random.random() < 0.2:
        return edits.add_layer(document, clip.name, Layer(_new_name(random)))
    name = random.choice(clip.layers).name
    actions: list[RandomEdit] = [
        lambda d, r: edits.remove_layer(d, clip.name, name),
        lambda d, r: edits.rename_layer(d, clip.name, name, _new_name(r)),
        lambda d, r: edits.move_layer(d, clip.name, name, r.randrange(len(clip.layers))),
        lambda d, r: edits.mute_layer(d, clip.name, name, r.random() < 0.5),
        lambda d, r: edits.set_layer_weight(d, clip.name, name, r.random()),
        lambda d, r: edits.set_layer_weight(d, clip.name, name, r.random(), time=r.uniform(clip.start, clip.end)),
        lambda d, r: edits.solo_layer(d, clip.name, name, r.random() < 0.5),
        lambda d, r: edits.override_layer(d, clip.name, name, r.random() < 0.5),
        lambda d, r: edits.mask_layer(d, clip.name, name, [j.name for j in d.rig.joints if r.random() < 0.5]),
    ]
    return random.choice(actions)(document, random)


def change_curves(document: Document, random: Random) -> Document:
    if not document.clips:
        return change_clips(document, random)
    clip = random.choice(document.clips)
    layer = random.choice([None, *(each.name for each in clip.layers)])
    present = edits.curves_of(document, clip.name, layer)
    if present and random.random() < 0.3:
        return edits.remove_curves(document, clip.name, [random.choice(sorted(present))], layer=layer)
    if present and random.random() < 0.6:
        channel = random.choice(sorted(present))
        preset = random.choice(["smooth", "flat", "linear", "stepped"])
        return edits.preset_tangents(document, clip.name, channel, preset, layer=layer)
    chosen = random.sample(document.rig.channels, min(2, len(document.rig.channels)))
    return edits.set_curves(document, clip.name, {each.name: curve(random) for each in chosen}, layer=layer)


def change_rig(document: Document, random: Random) -> Document:
    channel = random.choice(document.rig.channels).name
    actions: list[RandomEdit] = [
        lambda d, r: edits.set_limits(d, channel, -r.random() - 9, random.choice([math.inf, 9.5])),
        lambda d, r: edits.set_stiffness(d, channel, r.uniform(0.1, 2)),
        lambda d, r: edits.free(d, [channel], free=r.random() < 0.5).document,
        lambda d, r: edits.rename_joint(d, r.choice(d.rig.joints).name, _new_name(r)),
    ]
    return random.choice(actions)(document, random)


def change_constraints(document: Document, random: Random) -> Document:
    if not document.clips:
        return change_clips(document, random)
    point = Point(random.choice(document.rig.joints).name, (0.0, random.random(), 0.0))
    place = random.choice([point, BlendedPoint(((point, 0.5), (Point(document.rig.joints[0].name), 0.5)))])
    start = random.uniform(0, 2)
    end = start + random.random()
    rules: list[Constraint] = [Pin(place), Pin(place, "both", start, start), Contact(place, start, end, tolerance=0.01)]
    others = [joint.name for joint in document.rig.joints[1:] if joint.name != point.joint]
    rules += [Attach(place, random.choice(others), start, end)] if others else []
    carried = [prop for prop in document.props if prop.joint is not None and prop.joint in others]
    rules += [Attach(place, prop.joint, start, end, prop=prop.name) for prop in carried[:1]]
    rule = random.choice(rules)
    if not document.constraints or random.random() < 0.4:
        return edits.add_constraint(document, random.choice(document.clips).name, rule)
    name = random.choice(document.constraints).name
    actions: list[RandomEdit] = [
        lambda d, r: edits.remove_constraint(d, name),
        lambda d, r: edits.switch_constraint(d, name, r.random() < 0.5),
        lambda d, r: edits.replace_rule(d, name, rule),
        lambda d, r: edits.rename_constraint(d, name, _new_name(r)),
    ]
    return random.choice(actions)(document, random)


def change_looseness(document: Document, random: Random) -> Document:
    if not document.clips:
        return change_clips(document, random)
    clip = random.choice(document.clips)
    spring = Spring(random.uniform(0.5, 9), random.random())
    bell = Bell(random.uniform(0.1, 1), random.uniform(0.1, 1), random.choice(["gaussian", "polynomial"]))
    point = Point(random.choice(document.rig.joints).name, (0.0, random.random(), 0.0))
    target = random.choice(
        [
            PointTarget(clip.end, point, (random.random(), 1.0, 0.0), bell=bell),
            PoseTarget(clip.start, {random.choice(document.rig.channels).name: random.random()}, bell=bell),
        ]
    )
    aims = document.loosening(clip.name).aims
    name = random.choice(aims).name if aims else ""
    actions: list[RandomEdit] = [
        lambda d, r: edits.set_springs(d, clip.name, {r.choice(d.rig.joints[1:]).name: spring, "smile": spring}),
        lambda d, r: edits.set_looseness(d, clip.name, Looseness({"smile": spring}, "adaptive", gravity=r.random())),
        lambda d, r: edits.set_looseness(
            d, clip.name, Looseness(soft=(SpringyPart(d.meshes[0].name, point.joint, spring),))
        ),
        lambda d, r: edits.switch_looseness(d, clip.name, r.random() < 0.5),
        lambda d, r: edits.add_target(d, clip.name, target),
    ]
    if aims:
        actions += [
            lambda d, r: edits.replace_target(d, clip.name, name, target),
            lambda d, r: edits.switch_target(d, clip.name, name, r.random() < 0.5),
            lambda d, r: edits.rename_target(d, clip.name, name, _new_name(r)),
            lambda d, r: edits.remove_target(d, clip.name, name),
        ]
    return random.choice(actions)(document, random)


def _stretch(document: Document, clip: str, random: Random) -> tuple[float, float]:
    """Another stretch of time that leaves the clip's targets inside it."""
    old, moved = document.clip(clip), (-random.random(), random.random())
    return (old.start + moved[0], old.end + moved[1]) if document.loosening(clip).aims else moved


def change_meshes(document: Document, random: Random) -> Document:
    """No edit of ours, but any function from document to document may be committed."""
    kept = list(document.meshes)
    random.shuffle(kept)
    if kept and random.random() < 0.5:
        kept[0] = replace(kept[0], vertices=kept[0].vertices * random.uniform(0.5, 2))
    return replace(document, meshes=tuple(kept))


EDITS: tuple[RandomEdit, ...] = (
    rename,
    look,
    place_prop,
    change_clips,
    change_layers,
    change_curves,
    change_curves,
    change_rig,
    change_constraints,
    change_looseness,
    change_meshes,
)


def _new_name(random: Random) -> str:
    return f"{random.choice(['é', 'x.y', 'Ω “quoted”', 'plain'])} {random.getrandbits(40)}"
