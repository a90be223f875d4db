# SPDX-License-Identifier: GPL-3.0-or-later
"""Gestures with a pointer where views come and go: another window's are drawn too, and one that is gone ends them."""

from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from bpy_extras import view3d_utils

from extension.blender import arcs, drag_operator, pose_operators
from extension.tests import stage

FRAME = 19


class Held:
    """An operator as Blender calls it while a pointer holds something; Blender makes real ones only for windows."""

    def __init__(self, operator: type, **properties: Any) -> None:
        self.operator, self.told = operator, list[str]()
        vars(self).update(properties)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.operator, name).__get__(self)

    def report(self, kind: set[str], text: str) -> None:
        self.told.append(text)


class Area:
    """A view's area, and whether it has been asked to draw itself again."""

    type = "VIEW_3D"

    def __init__(self) -> None:
        self.header, self.drawn = None, 0

    def header_text_set(self, text: str | None) -> None:
        self.header = text

    def tag_redraw(self) -> None:
        self.drawn += 1


def seen_from(area: Area | None) -> SimpleNamespace:
    """The context of a view of Blender's own, in an area of ours; without one, as Blender tells of what is gone."""
    view = next(each for each in bpy.context.window.screen.areas if each.type == "VIEW_3D")
    region = next(each for each in view.regions if each.type == "WINDOW")
    return SimpleNamespace(
        scene=bpy.context.scene,
        mode=bpy.context.mode,
        object=bpy.context.object,
        active_pose_bone=bpy.context.active_pose_bone,
        selected_pose_bones=bpy.context.selected_pose_bones,
        area=area,
        region=area and region,
        region_data=area and view.spaces[0].region_3d,
        window_manager=SimpleNamespace(modal_handler_add=lambda operator: None),
    )


def event(kind: str, x: float, y: float, value: str = "PRESS") -> SimpleNamespace:
    """What a pointer at a pixel tells."""
    return SimpleNamespace(type=kind, value=value, mouse_region_x=x, mouse_region_y=y, shift=False, ctrl=False)


@pytest.fixture
def areas(monkeypatch: pytest.MonkeyPatch) -> tuple[Area, Area]:
    """Areas of two windows, which redrawing finds."""
    both = (Area(), Area())
    windows = [SimpleNamespace(screen=SimpleNamespace(areas=[each])) for each in both]
    context = SimpleNamespace(window_manager=SimpleNamespace(windows=windows))
    monkeypatch.setattr(arcs, "bpy", SimpleNamespace(context=context, data=bpy.data, types=bpy.types))
    return both


@pytest.fixture
def pixel(scene: bpy.types.Scene, arm: bpy.types.Object) -> tuple[float, float]:
    """Where the tick is that is dragged."""
    scene.inbetweener.show = True
    arcs.refresh(bpy.context)
    context = seen_from(Area())
    found = view3d_utils.location_3d_to_region_2d(
        context.region, context.region_data, arcs.SHOWN.arcs[0].ticks[FRAME - 1]
    )
    return found.x, found.y


def dragged(area: Area, pixel: tuple[float, float]) -> Held:
    """A drag of the arc, taken hold of in an area and moved."""
    drag = Held(drag_operator.INBETWEENER_OT_drag, held="POINTER", axis="NONE", turn=(0.0, 0.0, 0.0))
    assert drag.invoke(seen_from(area), event("LEFTMOUSE", *pixel)) == {"RUNNING_MODAL"}
    moved = event("MOUSEMOVE", pixel[0] + 8.0, pixel[1] - 6.0)
    assert drag.modal(seen_from(area), moved) == {"RUNNING_MODAL"}
    return drag


def test_a_drag_is_drawn_in_all_windows(
    arm: bpy.types.Object, pixel: tuple[float, float], areas: tuple[Area, Area]
) -> None:
    before = stage.handles(arm)
    drag = dragged(areas[0], pixel)
    assert stage.handles(arm) != before
    assert areas[0].drawn > 0
    assert areas[1].drawn > 0
    assert areas[0].header
    assert areas[1].header is None
    released = event("LEFTMOUSE", pixel[0] + 8.0, pixel[1] - 6.0, "RELEASE")
    assert drag.modal(seen_from(areas[0]), released) == {"FINISHED"}, drag.told
    assert areas[0].header is None
    np.testing.assert_allclose(stage.where(bpy.context.scene, arm, "b3", [FRAME])[0], drag.target, atol=1e-4)


def test_a_drag_whose_view_is_gone_puts_everything_back(
    arm: bpy.types.Object, pixel: tuple[float, float], areas: tuple[Area, Area]
) -> None:
    before = stage.handles(arm)
    drag = dragged(areas[0], pixel)
    assert drag.modal(seen_from(None), event("MOUSEMOVE", *pixel)) == {"CANCELLED"}
    assert stage.handles(arm) == before
    assert drag.told == ["drag cancelled: the view in which it was held is gone; take hold again"]


def test_a_drag_whose_window_is_closed_puts_everything_back(
    arm: bpy.types.Object, pixel: tuple[float, float], areas: tuple[Area, Area]
) -> None:
    before = stage.handles(arm)
    drag = dragged(areas[0], pixel)
    drag.cancel(seen_from(None))
    assert stage.handles(arm) == before
    assert arcs.SHOWN.stale


def test_a_pull_whose_view_is_gone_puts_the_pose_back(arm: bpy.types.Object, areas: tuple[Area, Area]) -> None:
    was = tuple(arm.pose.bones["b2"].rotation_quaternion)
    arm.data.bones.active = arm.data.bones["b3"]
    pull = Held(pose_operators.INBETWEENER_OT_pull, end="TAIL", chain=0)
    assert pull.invoke(seen_from(areas[0]), event("G", 500.0, 400.0)) == {"RUNNING_MODAL"}, pull.told
    assert pull.modal(seen_from(areas[0]), event("MOUSEMOVE", 540.0, 430.0)) == {"RUNNING_MODAL"}
    assert tuple(arm.pose.bones["b2"].rotation_quaternion) != was
    assert pull.modal(seen_from(None), event("MOUSEMOVE", 545.0, 430.0)) == {"CANCELLED"}
    np.testing.assert_allclose(arm.pose.bones["b2"].rotation_quaternion, was, atol=1e-6)
    assert pull.told == ["pull cancelled: the view in which it was held is gone; take hold again"]


def test_a_line_whose_view_is_gone_is_drawn_no_further(arm: bpy.types.Object, areas: tuple[Area, Area]) -> None:
    was = tuple(arm.pose.bones["b2"].rotation_quaternion)
    line = Held(pose_operators.INBETWEENER_OT_line)
    assert line.invoke(seen_from(areas[0]), event("P", 500.0, 400.0)) == {"RUNNING_MODAL"}
    assert line.modal(seen_from(areas[0]), event("LEFTMOUSE", 500.0, 400.0)) == {"RUNNING_MODAL"}
    assert line.modal(seen_from(None), event("MOUSEMOVE", 510.0, 400.0)) == {"CANCELLED"}
    assert tuple(arm.pose.bones["b2"].rotation_quaternion) == was
    assert line.told == ["line cancelled: the view in which it was held is gone; take hold again"]
