"""Frames, movies and plots without a browser."""

from inbetweener.render.camera import Camera
from inbetweener.render.renderer import Renderer
from inbetweener.render.scene import Look
from inbetweener.render.still import render_frame, save_png

__all__ = ["Camera", "Look", "Renderer", "render_frame", "save_png"]
