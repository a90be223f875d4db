"""Frames, movies and plots without a browser."""

from inbetweener.render.camera import Camera
from inbetweener.render.movie import render_comparison, render_frame, render_movie, save_png
from inbetweener.render.plot import plot_curves
from inbetweener.render.renderer import Renderer
from inbetweener.render.scene import Look

__all__ = ["Camera", "Look", "Renderer", "plot_curves", "render_comparison", "render_frame", "render_movie", "save_png"]
