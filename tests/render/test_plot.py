import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from inbetweener.curves import Curve
from inbetweener.curves.key import Key, Tangent
from inbetweener.errors import InbetweenerError, UnknownName
from inbetweener.motion import Clip, Layer
from inbetweener.render import plot_curves
from inbetweener.render.plot import drawn, handles

SVG = "{http://www.w3.org/2000/svg}"


def groups(path):
    """The drawn marks and lines by what they are: "keys:j1.rz" → places (n, 2) on the page."""
    found = {}
    for element in ElementTree.parse(path).iter(f"{SVG}g"):
        name = element.get("id", "")
        if name.startswith(("keys:", "curve:", "handle:")):
            marks = [(float(use.get("x")), float(use.get("y"))) for use in element.iter(f"{SVG}use")]
            line = "".join(each.get("d", "") for each in element.findall(f"{SVG}path"))
            found.setdefault(name, []).append((marks, [float(n) for n in re.findall(r"-?[\d.]+", line)]))
    return found


def test_every_key_is_on_the_page_and_on_its_curve(swaying, tmp_path):
    plot_curves(swaying, tmp_path / "p.svg", ["j1.rz"])
    found = groups(tmp_path / "p.svg")
    ((keys, _),) = found["keys:j1.rz"]
    assert len(keys) == 3
    columns, rows = np.array(keys).T
    # Evenly in time; the second value is the lowest, so the farthest down the page.
    assert columns[1] - columns[0] == pytest.approx(columns[2] - columns[1], abs=0.1)
    assert rows[1] > rows[2] > rows[0]
    scale = (rows[1] - rows[0]) / 0.9
    assert rows[1] - rows[2] == pytest.approx(0.7 * scale, rel=1e-3)
    line = np.array(found["curve:j1.rz"][0][1]).reshape(-1, 2)
    for place in keys:
        assert np.abs(line - place).sum(axis=1).min() < 0.6
    # Three flat keys have four handles in use.
    assert len(found["handle:j1.rz"]) == 4


def test_patterns_choose_channels_and_an_unknown_one_is_named(swaying, tmp_path):
    plot_curves(swaying, tmp_path / "p.svg", ["j*.rz", "root.tx"])
    named = {name for name in groups(tmp_path / "p.svg") if name.startswith("keys:")}
    assert named == {"keys:j1.rz", "keys:j2.rz", "keys:j3.rz", "keys:root.tx"}
    with pytest.raises(UnknownName, match=r"j1\.rz"):
        plot_curves(swaying, tmp_path / "q.svg", ["j1.rzz"])
    assert not (tmp_path / "q.svg").exists()


def test_themes_and_png(swaying, tmp_path):
    shades = {}
    for theme in ("dark", "light"):
        plot_curves(swaying, tmp_path / f"{theme}.png", ["j1.rz"], theme=theme)
        with Image.open(tmp_path / f"{theme}.png") as picture:
            shades[theme] = np.asarray(picture.convert("L")).mean()
    assert shades["dark"] < 60
    assert shades["light"] > 200


def test_the_same_svg_twice(swaying, tmp_path):
    for name in ("a.svg", "b.svg"):
        plot_curves(swaying, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_limits_are_shaded_when_they_are_near(swaying, tmp_path):
    def pink(limits):
        channels = tuple(replace(c, **limits) if c.name == "j1.rz" else c for c in swaying.rig.channels)
        plot_curves(replace(swaying, rig=replace(swaying.rig, channels=channels)), tmp_path / "l.png", ["j1.rz"])
        with Image.open(tmp_path / "l.png") as picture:
            red, green, _ = np.asarray(picture.convert("RGB")).astype(int).reshape(-1, 3).T
        return ((red - green > 6) & (red < 80)).mean()

    assert pink({}) < 0.01
    assert pink({"upper": 0.4}) > 0.05
    assert pink({"upper": 40.0}) < 0.01


def test_a_limit_that_channels_share_is_shaded_once(swaying, tmp_path):
    def shade(names):
        channels = tuple(replace(c, upper=0.4) for c in swaying.rig.channels)
        document = replace(swaying, rig=replace(swaying.rig, channels=channels))
        plot_curves(document, tmp_path / "l.png", names)
        with Image.open(tmp_path / "l.png") as picture:
            red, green, _ = np.asarray(picture.convert("RGB")).astype(int).reshape(-1, 3).T
        tinted = (red - green)[red - green > 6]
        return np.bincount(tinted).argmax()

    assert shade(["j1.rz", "j1.rx", "j1.ry"]) == shade(["j1.rz"])


def test_steps_are_upright_and_layers_are_drawn(swaying, tmp_path):
    stepped = Curve.from_keys([Key(0.0, 1.0, interpolation="constant"), Key(1.0, 3.0)])
    times, values = drawn(stepped)
    assert values[times < 1.0] == pytest.approx(1.0)
    assert list(values[times == 1.0]) == [1.0, 3.0]
    assert handles(stepped) == []
    clip = replace(swaying.clips[0], layers=(Layer("lean", swaying.clips[0].curves, 0.5),))
    plot_curves(replace(swaying, clips=(clip,)), tmp_path / "layered.svg", ["j1.rz"])
    assert "stroke-dasharray" in (tmp_path / "layered.svg").read_text()


def test_handles_sit_at_key_plus_and_minus_tangent():
    curve = Curve.from_keys(
        [Key(0.0, 1.0, out_tangent=Tangent(0.2, 0.4)), Key(1.0, 2.0, in_tangent=Tangent(0.3, -0.1))]
    )
    assert np.array(handles(curve)) == pytest.approx(np.array([[[0, 1], [0.2, 1.4]], [[1, 2], [0.7, 2.1]]]))


def test_nothing_to_plot_and_bad_paths_are_said(swaying, tmp_path):
    with pytest.raises(InbetweenerError, match="no curve with more than one key"):
        plot_curves(replace(swaying, clips=(Clip("still", 1.0),)), tmp_path / "p.svg")
    with pytest.raises(InbetweenerError, match=r"\.svg, \.png"):
        plot_curves(swaying, tmp_path / "p.pdf")
    with pytest.raises(UnknownName, match="light"):
        plot_curves(swaying, tmp_path / "p.svg", theme="lite")
