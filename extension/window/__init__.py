# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in a real Blender with a window: installed from its zip, dragged with a real mouse."""
