import os
import subprocess
import sys

import pytest

from inbetweener.document import Document
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.render import render_frame
from inbetweener.render.renderer import CHOICE, drawing


def test_the_environment_chooses_software_without_a_word(monkeypatch):
    monkeypatch.setenv(CHOICE, "software")
    assert drawing((8, 8)).name == "software"


def test_software_takes_over_where_there_is_no_driver_and_says_what_would_help():
    # A loader that is told of no driver at all, as on a machine without one.
    environment = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": os.devnull, CHOICE: ""}
    code = "from inbetweener.render.renderer import drawing; print(drawing((8, 8)).name)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout.strip() == "software"
    assert "libegl1 libgl1-mesa-dri" in ran.stderr
    asked = subprocess.run(
        [sys.executable, "-c", code.replace("(8, 8)", "(8, 8), 'gl'")], capture_output=True, text=True, env=environment
    )
    assert asked.returncode != 0
    assert "NoGraphics" in asked.stderr


def test_unknown_backend_style_and_size_are_named():
    with pytest.raises(UnknownName, match="software"):
        drawing((8, 8), "softwear")
    with pytest.raises(UnknownName, match="x-ray"):
        render_frame(Document(), 0.0, style="xray")
    with pytest.raises(InbetweenerError, match="0 × 8 pixels"):
        drawing((0, 8))
