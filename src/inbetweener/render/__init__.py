"""Frames, movies and plots without a browser."""

from inbetweener.render.camera import Camera
from inbetweener.render.comparison import render_comparison
from inbetweener.render.movie import render_movie
from inbetweener.render.plot import plot_curves
from inbetweener.render.renderer import Renderer
from inbetweener.render.scene import Look
from inbetweener.render.still import render_frame, save_png

__all__ = ["Camera", "Look", "Renderer", "plot_curves", "render_comparison", "render_frame", "render_movie", "save_png"]
