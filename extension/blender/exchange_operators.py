# SPDX-License-Identifier: GPL-3.0-or-later
"""An action goes to the Studio and comes back: to the one that runs on this machine, or through a file."""

from pathlib import Path

import bpy
from bpy.props import BoolProperty, StringProperty

from inbetweener import formats
from inbetweener.document import Document
from inbetweener.errors import InbetweenerError
from inbetweener.studio import nearby

from .arcs import SHOWN
from .exchange import fetched, sent
from .refusal import Refused

PATIENCE = 60.0
"""Seconds for which Blender waits for a Studio, which may be compiling its solver for the first time."""
SENDER = "Blender"


class _Exchange(bpy.types.Operator):
    """What both have in common: without a file they speak to the Studio that runs; a refusal is one line."""

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default="*.tween", options={"HIDDEN"})
    by_file: BoolProperty(name="By File", description="Choose a file", options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Of the active object."""
        return context.object is not None

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for a file where one is wanted, beside this one by default."""
        if not self.by_file:
            return self.execute(context)
        folder = Path(bpy.data.filepath).parent if bpy.data.filepath else Path.home()
        self.filepath = self.filepath or str(folder / f"{bpy.path.clean_name(context.object.name)}.tween")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do it, and say what came of it."""
        try:
            said, left = self.do(context)
        except (Refused, InbetweenerError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        for line in left:
            self.report({"WARNING"}, line)
        self.report({"INFO"}, said)
        return {"FINISHED"}

    @property
    def path(self) -> Path | None:
        """The file, where there is one."""
        return Path(bpy.path.abspath(self.filepath)) if self.filepath else None

    def do(self, context: bpy.types.Context) -> tuple[str, tuple[str, ...]]:
        """What it does: a line to tell, and what is left out."""
        raise NotImplementedError


class INBETWEENER_OT_send(_Exchange):
    """Show the active object with bones, skins, action and pins in the Studio that runs here; curves stay curves"""

    bl_idname = "inbetweener.send"
    bl_label = "Send to Studio"
    bl_options = {"REGISTER"}  # noqa: RUF012

    def do(self, context: bpy.types.Context) -> tuple[str, tuple[str, ...]]:
        """Into the Studio, or a file that it opens."""
        made = sent(context.object, context.scene)
        if self.path is None:
            studio = nearby.find(patience=PATIENCE)
            return f"Studio at {studio.running.address}: {studio.send(made.document, SENDER)}", made.left
        path = self.path.with_suffix(".tween")
        formats.write(made.document, path)
        return f"{path.name} written; open it with: inbetweener studio {path}", made.left


class INBETWEENER_OT_fetch(_Exchange):
    """Take the curves and pins of what was sent to the Studio back into the active object's action"""

    bl_idname = "inbetweener.fetch"
    bl_label = "Fetch from Studio"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    def do(self, context: bpy.types.Context) -> tuple[str, tuple[str, ...]]:
        """From the Studio, or a file that it saved."""
        told = fetched(context.object, context.scene, self._document())
        SHOWN.stale = True
        return told, ()

    def _document(self) -> Document:
        return nearby.find(patience=PATIENCE).fetch() if self.path is None else formats.read(self.path).document


CLASSES = (INBETWEENER_OT_send, INBETWEENER_OT_fetch)
