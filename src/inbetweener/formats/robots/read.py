"""Reading robots: the outermost element says whether a file is MJCF or URDF."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.linalg import norm

from inbetweener.arrays import Floats
from inbetweener.document.budget import Budget
from inbetweener.errors import FormatError
from inbetweener.formats.files import Reading, file_bytes, naming
from inbetweener.formats.names import called
from inbetweener.formats.robots.include import joined
from inbetweener.formats.robots.links import Hinge, Link, document_of
from inbetweener.formats.robots.xml import Element, parsed
from inbetweener.maths import quaternions
from inbetweener.maths.solids import Box, Capsule, Solid, Sphere
from inbetweener.rig.masses import merged

SHORTEST = 1e-12
"""What is shorter has no direction."""
WATER = 1000.0
ALONG_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Turns a capsule of ours, which lies along y, to one along z."""
Inertia = tuple[float, Floats, Floats]


def read(path: Path | str, *, trust: bool = False) -> Reading:
    """The robot in a file: joints, limits, masses; what is left out is told with its count."""
    path = Path(path)
    data = file_bytes(path)
    top = parsed(data, path, Budget(len(data), trust=trust))
    left: Counter[str] = Counter()
    if top.tag == "mujoco":
        links = _Mjcf(joined(top, path.parent, trust=trust), left).links
    elif top.tag == "robot":
        links = _urdf(top, left)
    else:
        raise FormatError(path, f"<{top.tag}>", "is neither MJCF nor URDF", "the outermost element is mujoco or robot")
    name = top.attributes.get("model") or top.attributes.get("name") or called(path)
    with naming(path):
        document = document_of(name, "mjcf" if top.tag == "mujoco" else "urdf", links)
    return Reading(document, tuple(f"{count} {what} left out" for what, count in left.items()))


class _Mjcf:
    """Bodies of an MJCF model; classes give attributes that elements do not have themselves."""

    def __init__(self, top: Element, left: Counter[str]) -> None:
        self.left, self.links = left, list[Link]()
        compilers = top.all("compiler")
        said = {name: value for each in compilers for name, value in each.attributes.items()}
        self.unit = 1.0 if said.get("angle") == "radian" else math.pi / 180
        self.sequence, self.autolimits = said.get("eulerseq", "xyz"), said.get("autolimits", "true") != "false"
        if len(self.sequence) != 3 or not set(self.sequence) <= set("xyzXYZ"):
            raise compilers[-1].error(f"eulerseq={self.sequence!r} is not made of three of x, y, z, X, Y and Z")
        for what in ("coordinate", "balanceinertia", "inertiafromgeom"):
            if said.get(what, "auto") not in ("auto", "local", "false"):
                raise compilers[-1].error(f"{what}={said[what]!r} is not understood")
        self.defaults: dict[str, tuple[str, dict[str, dict[str, str]]]] = {"main": ("", {})}
        """By class: that above it, and what it says itself by tag."""
        for each in top.all("default"):
            self._classes(each, "main", each.attributes.get("class", "main"))
        for world in top.all("worldbody"):
            for body in world.all("body"):
                self._body(body, -1, "main")
        if not self.links:
            raise top.error("has no body")

    def _classes(self, element: Element, above: str, name: str) -> None:
        # Declared at the top once more, a class goes on with what it said.
        above, said = self.defaults[name] if name == above else (above, dict[str, dict[str, str]]())
        for each in element.children:
            if each.tag != "default":
                said.setdefault(each.tag, {}).update(each.attributes)
        self.defaults[name] = above, said
        for each in element.all("default"):
            self._classes(each, name, each.attributes.get("class", ""))

    def _given(self, element: Element, within: str) -> dict[str, str]:
        name = element.attributes.get("class", within)
        if name not in self.defaults:
            raise element.error(f"is of class {name!r}, which no default declares")
        given = dict(element.attributes)
        # A class may be declared twice, so that one above it may be one below it, too.
        seen = set[str]()
        while name in self.defaults and name not in seen:
            seen.add(name)
            name, said = self.defaults[name]
            given = {**said.get(element.tag, {}), **given}
        return given

    def _body(self, body: Element, parent: int, within: str) -> None:
        within, given = body.attributes.get("childclass", within), body.attributes
        at, turn = _or(body.numbers("pos", 3), (0, 0, 0)), self._turn(body, given)
        link = Link(given.get("name") or f"body {len(self.links)}", parent, at, turn)
        number = len(self.links)
        self.links.append(link)
        link.floats = body.first("freejoint") is not None
        weighed: list[Inertia] = []
        for each in body.children:
            if each.tag == "joint":
                self._hinge(each, link, within)
            elif each.tag == "geom":
                weighed += self._geom(each, link, within)
            elif each.tag == "body":
                self._body(each, number, within)
            elif each.tag not in ("inertial", "freejoint", "site", "camera", "light"):
                self.left[f"<{each.tag}>"] += 1
        inertial = body.first("inertial")
        link.inertia = self._inertial(inertial) if inertial is not None else merged(weighed) if weighed else None

    def _hinge(self, element: Element, link: Link, within: str) -> None:
        given = self._given(element, within)
        kind = given.get("type", "hinge")
        if kind == "free":
            link.floats = True
            return
        if kind == "ball":
            self._ball(given, link, _or(element.numbers("pos", 3, given), (0, 0, 0)))
            return
        axis = _unit(_or(element.numbers("axis", 3, given), (0, 0, 1)), element)
        at = _or(element.numbers("pos", 3, given), (0, 0, 0))
        limits, unit = element.numbers("range", 2, given), 1.0 if kind == "slide" else self.unit
        limited = given.get("limited", "auto")
        if limits is None or limited == "false" or (limited == "auto" and not self.autolimits):
            limits, unit = np.array([-math.inf, math.inf]), 1.0
        name = given.get("name") or f"{link.name} joint {len(link.hinges) + 1}"
        lower, upper = (float(each) * unit for each in limits)
        link.hinges.append(Hinge(name, axis, at, kind == "slide", lower, upper))

    def _ball(self, given: dict[str, str], link: Link, at: Floats) -> None:
        """Three hinges in one place, which turn every way a ball does; how far it may turn in all, they do not know."""
        name = given.get("name") or f"{link.name} joint {len(link.hinges) + 1}"
        link.hinges += [Hinge(f"{name} {letter}", axis, at) for letter, axis in zip("xyz", np.eye(3), strict=True)]
        if "range" in given and given.get("limited", "auto") != "false":
            self.left["limits of ball joints"] += 1

    def _inertial(self, element: Element) -> Inertia:
        full, diagonal = element.numbers("fullinertia", 6), element.numbers("diaginertia", 3)
        turn = self._turn(element, element.attributes)
        about = np.zeros((3, 3)) if diagonal is None else turn @ np.diag(diagonal) @ turn.T
        if full is not None:
            xx, yy, zz, xy, xz, yz = full
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return element.number("mass", 0.0), _or(element.numbers("pos", 3), (0, 0, 0)), about

    def _geom(self, element: Element, link: Link, within: str) -> list[Inertia]:
        given = self._given(element, within)
        kind, size = given.get("type", "sphere"), element.numbers("size", None, given)
        if kind in ("mesh", "plane", "hfield", "sdf") or size is None:
            self.left[f"geoms of type {kind}"] += 1
            return []
        at, turn = _or(element.numbers("pos", 3, given), (0, 0, 0)), self._turn(element, given)
        ends = element.numbers("fromto", 6, given)
        if ends is not None:
            at, along = (ends[:3] + ends[3:]) / 2, ends[3:] - ends[:3]
            turn, size = _onto(_unit(along, element)), np.array([size[0], norm(along) / 2])
        solid, volume, moments = _shape(element, kind, size)
        link.solids.append((solid, at, turn @ ALONG_Y if isinstance(solid, Capsule) else turn))
        mass = element.numbers("mass", 1, given)
        density = _or(element.numbers("density", 1, given), (WATER,))
        kilograms = float(density[0]) * volume if mass is None else float(mass[0])
        return [(kilograms, at, turn @ np.diag(kilograms * moments) @ turn.T)]

    def _turn(self, element: Element, given: dict[str, str]) -> Floats:
        if (quaternion := element.numbers("quat", 4, given)) is not None:
            return quaternions.to_matrix(quaternions.normalised(quaternion))
        if (axis := element.numbers("axisangle", 4, given)) is not None:
            return quaternions.to_matrix(quaternions.from_axis_angle(_unit(axis[:3], element), axis[3] * self.unit))
        if (angles := element.numbers("euler", 3, given)) is not None:
            turn = np.eye(3)
            for letter, angle in zip(self.sequence, angles, strict=True):
                one = _about("xyz".index(letter.lower()), angle * self.unit)
                turn = turn @ one if letter.islower() else one @ turn
            return turn
        if (z := element.numbers("zaxis", 3, given)) is not None:
            return _onto(_unit(z, element))
        if (axes := element.numbers("xyaxes", 6, given)) is not None:
            x = _unit(axes[:3], element)
            y = _unit(axes[3:] - (axes[3:] @ x) * x, element)
            return np.stack([x, y, np.cross(x, y)], axis=1)
        return np.eye(3)


def _shape(element: Element, kind: str, size: Floats) -> tuple[Solid, float, Floats]:
    """What shows a geom, its volume, and moments of inertia (3,) of one kilogram of it."""
    needs = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
    if kind not in needs:
        raise element.error(f"is of type {kind!r}, which is not known")
    if len(size) < needs[kind] or not (size[: needs[kind]] > 0).all():
        raise element.error(f"a {kind} needs {needs[kind]} sizes above nought")
    a, b, c = (float(each) for each in (*size, 0.0, 0.0)[:3])
    if kind == "sphere":
        return Sphere(a), 4 / 3 * math.pi * a**3, np.full(3, 0.4 * a * a)
    if kind == "box":
        return Box((a, b, c)), 8 * a * b * c, np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 3
    if kind == "ellipsoid":
        squares = np.array([b * b + c * c, a * a + c * c, a * a + b * b])
        return Box((a, b, c)), 4 / 3 * math.pi * a * b * c, squares / 5
    tube, long = 2 * math.pi * a * a * b, 2 * b
    side = (3 * a * a + long * long) / 12
    if kind == "cylinder":
        return Capsule(a, b), tube, np.array([side, side, a * a / 2])
    ball = 4 / 3 * math.pi * a**3
    whole = tube + ball
    share = tube / whole if whole > 0.0 else 0.0  # sizes so small that their cubes are nothing
    caps = 0.4 * a * a + b * b + 0.75 * a * b
    across = share * side + (1 - share) * caps
    return Capsule(a, b), whole, np.array([across, across, share * a * a / 2 + (1 - share) * 0.4 * a * a])


def _urdf(top: Element, left: Counter[str]) -> list[Link]:
    """Links in an order where parents come first."""
    elements = {each.attributes.get("name", ""): each for each in top.all("link")}
    joints, above = dict[str, list[Element]](), dict[str, str]()
    for joint in top.all("joint"):
        parent, child = (_named(joint, tag, elements) for tag in ("parent", "child"))
        joints.setdefault(parent, []).append(joint)
        if child in above:
            raise joint.error(f"link {child!r} hangs on two joints")
        above[child] = parent
    roots = [name for name in elements if name not in above]
    if not roots:
        raise top.error("has no link that hangs on nothing")
    links: list[Link] = []
    waiting: list[tuple[str, int, Element | None]] = [(root, -1, None) for root in reversed(roots)]
    while waiting:
        name, parent_link, by = waiting.pop()
        at, turn = (np.zeros(3), np.eye(3)) if by is None else _origin(by)
        link = Link(name, parent_link, at, turn, floats=by is None)
        number = len(links)
        links.append(link)
        _filled(link, elements[name], left)
        if by is not None:
            _urdf_hinge(link, by, left)
        waiting += [(_named(each, "child", elements), number, each) for each in reversed(joints.get(name, ()))]
    return links


def _urdf_hinge(link: Link, joint: Element, left: Counter[str]) -> None:
    kind, name = joint.attributes.get("type", ""), joint.attributes.get("name", link.name)
    axis, limit = joint.first("axis"), joint.first("limit")
    along = np.array([1.0, 0.0, 0.0]) if axis is None else _or(axis.numbers("xyz", 3), (1, 0, 0))
    if kind in ("revolute", "continuous", "prismatic"):
        free = kind == "continuous" or limit is None
        lower, upper = (-math.inf, math.inf) if free else (limit.number("lower", 0.0), limit.number("upper", 0.0))  # type: ignore[union-attr]
        along = _unit(along, axis or joint)
        link.hinges.append(Hinge(name, along, np.zeros(3), kind == "prismatic", lower, upper))
    elif kind == "floating":
        link.floats = True
    elif kind != "fixed":
        left[f"joints of type {kind}, which are fixed here,"] += 1


def _filled(link: Link, element: Element, left: Counter[str]) -> None:
    inertial = element.first("inertial")
    if inertial is not None:
        mass, inertia = inertial.first("mass"), inertial.first("inertia")
        at, turn = _origin(inertial)
        parts = {
            each: inertia.number(f"i{each}", 0.0) if inertia else 0.0 for each in ("xx", "yy", "zz", "xy", "xz", "yz")
        }
        about = np.array([[parts["".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
        link.inertia = (0.0 if mass is None else mass.number("value", 0.0)), at, turn @ about @ turn.T
    for each in element.all("collision"):
        geometry = each.first("geometry")
        shape = geometry.children[0] if geometry is not None and geometry.children else None
        if shape is None or shape.tag == "mesh":
            left["collision meshes"] += 1
            continue
        at, turn = _origin(each)
        sizes = _or(shape.numbers("size", 3), (0.1, 0.1, 0.1)) / 2
        radius, half = shape.number("radius", 0.1), shape.number("length", 0.1) / 2
        if not all(size > 0 for size in (*sizes, radius, half)):
            raise shape.error("its sizes must be above nought")
        if shape.tag == "box":
            link.solids.append((Box((float(sizes[0]), float(sizes[1]), float(sizes[2]))), at, turn))
        elif shape.tag == "sphere":
            link.solids.append((Sphere(radius), at, turn))
        else:
            link.solids.append((Capsule(radius, half), at, turn @ ALONG_Y))
    if visuals := len(element.all("visual")):
        left["visual shapes"] += visuals


def _named(joint: Element, tag: str, links: dict[str, Element]) -> str:
    found = joint.first(tag)
    name = "" if found is None else found.attributes.get("link", "")
    if name not in links:
        raise joint.error(f"its {tag} is link {name!r}, which there is not")
    return name


def _origin(element: Element) -> tuple[Floats, Floats]:
    origin = element.first("origin")
    if origin is None:
        return np.zeros(3), np.eye(3)
    roll, pitch, yaw = _or(origin.numbers("rpy", 3), (0, 0, 0))
    return _or(origin.numbers("xyz", 3), (0, 0, 0)), _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)


def _about(axis: int, angle: float) -> Floats:
    return quaternions.to_matrix(quaternions.from_axis_angle(np.eye(3)[axis], angle))


def _unit(vector: Floats, element: Element) -> Floats:
    """A direction, of length one."""
    if (length := float(norm(vector))) < SHORTEST:
        raise element.error("has a direction that leads nowhere", "give it a length, and none that lies along another")
    return vector / length


def _onto(z: Floats) -> Floats:
    """The least turn (3, 3) that brings z onto a direction of length one."""
    axis = np.cross([0.0, 0.0, 1.0], z)
    if norm(axis) < 1e-12:
        return np.eye(3) if z[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return quaternions.to_matrix(quaternions.from_axis_angle(axis / norm(axis), math.atan2(norm(axis), z[2])))


def _or(values: Floats | None, default: tuple[float, ...]) -> Floats:
    return np.array(default, np.float64) if values is None else values
