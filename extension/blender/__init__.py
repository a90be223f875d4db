# SPDX-License-Identifier: GPL-3.0-or-later
"""Inbetweener in Blender: drag arcs in the viewport on any rig; nothing but Bezier handles is written.

Only what touches Blender imports `bpy`, so that the rest can be read and tested without it.
"""


def register() -> None:
    """Called by Blender when the extension is enabled."""
    from . import registered

    registered.register()


def unregister() -> None:
    """Called by Blender when it is disabled."""
    from . import registered

    registered.unregister()
