"""A clip as pictures: one frame, two side by side, or a movie as MP4, GIF or a sequence of PNG files."""

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from inbetweener.arrays import Bytes, Floats
from inbetweener.document import Document
from inbetweener.document.staging import SOUNDS, Sound, sound_type
from inbetweener.errors import InbetweenerError, InvalidDocument
from inbetweener.motion import Clip
from inbetweener.motion.fit import Progress
from inbetweener.render.camera import Camera
from inbetweener.render.output import OutputError, checked, complete
from inbetweener.render.renderer import Backend, Renderer
from inbetweener.render.scene import Look, Style
from inbetweener.render.stage import Stage
from inbetweener.skinning import Blending


def render_frame(
    document: Document,
    time: float,
    *,
    clip: str | None = None,
    size: tuple[int, int] = (960, 540),
    style: Style = "shaded",
    camera: Camera | str | None = None,
    points: Sequence[str] = (),
    onion: int | Sequence[int] = (),
    ground: bool = True,
    backend: Backend = "auto",
) -> Bytes:
    """A picture (H, W, 3) of a document at a time in seconds; see Look for the options."""
    with Renderer(document, clip, Look(style, camera, tuple(points), onion, ground), size, backend) as renderer:
        return renderer.frame(time)


def save_png(picture: Bytes, path: str | Path) -> None:
    """Write a picture (H, W, 3) as PNG."""
    from PIL import Image

    with complete(checked(path, (".png",), "a picture")) as partial:
        Image.fromarray(picture).save(partial, compress_level=4)


SUFFIXES = (".mp4", ".gif", ".png")
FASTEST = 60.0
FASTEST_GIF = 50.0
"""Viewers slow a GIF down to a crawl when its frames last less than two hundredths of a second."""
_PALETTE_FRAMES = 8


def render_movie(
    document: Document,
    path: str | Path,
    *,
    clip: str | None = None,
    rate: float | None = None,
    size: tuple[int, int] = (960, 540),
    style: Style = "shaded",
    camera: Camera | str | None = None,
    points: Sequence[str] = (),
    onion: int | Sequence[int] = (),
    ground: bool = True,
    backend: Backend = "auto",
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Write a whole clip to `path` and return the files written; the suffix chooses MP4, GIF or numbered PNGs.

    `rate` is in frames a second, by default the clip's own, halved until it is at most 60 (50 for GIF). H.264 wants
    even sides, so an odd width or height of an MP4 grows by a pixel. `progress(done, total)` is called for every frame;
    whatever it raises stops the work and leaves no file. The sound of the clip goes into an MP4, unless it is muted.
    """
    path = checked(path, SUFFIXES, "a movie")
    kind = path.suffix.lower()
    if kind == ".mp4":
        size = size[0] + size[0] % 2, size[1] + size[1] % 2
    with Renderer(document, clip, Look(style, camera, tuple(points), onion, ground), size, backend) as renderer:
        rate = movie_rate(renderer.stage.clip, rate, FASTEST_GIF if kind == ".gif" else FASTEST)
        times = movie_times(renderer.stage.clip, rate)
        frames = _reported(renderer, times, progress)
        if kind == ".png":
            return _sequence(path, frames, len(times))
        with complete(path) as partial:
            if kind == ".mp4":
                sound = document.staging(renderer.stage.clip.name).sound if document.clips else None
                heard = None if sound is None or sound.muted else sound
                write_mp4(partial, frames, size, rate, heard, float(times[0]), len(times) / rate)
            else:
                _gif(partial, frames, len(times), rate)
    return (path,)


def movie_rate(clip: Clip, rate: float | None, fastest: float) -> float:
    """Frames a second of a movie."""
    if rate is not None:
        if not (np.isfinite(rate) and rate > 0):
            raise InbetweenerError(f"a movie of {rate:g} frames a second cannot be made; give a positive rate")
        return min(rate, FASTEST_GIF) if fastest == FASTEST_GIF else rate
    return clip.rate / np.ceil(clip.rate / fastest)


def movie_times(clip: Clip, rate: float) -> Floats:
    """When each frame is (F,); the last frame of a clip that loops is the first one again and left out."""
    count = int(np.floor((clip.end - clip.start) * rate + 1e-6)) + 1
    times = clip.start + np.arange(count) / rate
    return times[:-1] if clip.loops and count > 1 and times[-1] > clip.end - 0.5 / rate else times


def _reported(renderer: Renderer, times: Floats, progress: Progress | None) -> Iterator[Bytes]:
    for done, time in enumerate(times):
        if progress is not None:
            progress(done, len(times))
        yield renderer.frame(float(time))
    if progress is not None:
        progress(len(times), len(times))


def _sequence(path: Path, frames: Iterable[Bytes], count: int) -> tuple[Path, ...]:
    digits = max(4, len(str(count - 1)))
    written = []
    for number, frame in enumerate(frames):
        written.append(path.with_name(f"{path.stem}.{number:0{digits}d}{path.suffix}"))
        save_png(frame, written[-1])
    return tuple(written)


def write_mp4(
    path: Path,
    frames: Iterable[Bytes],
    size: tuple[int, int],
    rate: float,
    sound: Sound | None = None,
    start: float = 0.0,
    seconds: float = 0.0,
) -> None:
    """Encode pictures (H, W, 3) as H.264; both sides must be even. The first is seen at `start` in the sound's time,
    which goes on for so many `seconds` as the pictures do."""
    if sound is None:
        _encode(path, frames, size, rate, ("-an",))
        return
    with tempfile.TemporaryDirectory() as folder:
        kind = SOUNDS[sound_type(sound.data) or ""]
        heard = Path(folder) / f"sound.{kind}"
        heard.write_bytes(sound.data)
        late = sound.start - start
        # What began before the first picture is cut, what begins after it waits; silence fills the rest.
        placed = f"atrim=start={-late:.6f},asetpts=PTS-STARTPTS" if late < 0 else f"adelay={1000 * late:.3f}:all=1"
        coded = (
            "-map",
            "0:v",
            "-map",
            "1:a",
            "-af",
            f"{placed},apad",
            "-t",
            f"{seconds:.6f}",
            "-c:a",
            "aac",
            "-b:a",
            "192k",
        )
        # The format is said, and found in no way else: the file may come from anybody.
        _encode(path, frames, size, rate, ("-f", kind, "-protocol_whitelist", "file,pipe", "-i", str(heard), *coded))


def _encode(path: Path, frames: Iterable[Bytes], size: tuple[int, int], rate: float, heard: tuple[str, ...]) -> None:
    from imageio_ffmpeg import get_ffmpeg_exe

    picture = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{rate:.6f}", "-i", "-")
    coded = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-preset", "veryfast", "-movflags", "+faststart")
    command = (get_ffmpeg_exe(), "-y", "-loglevel", "error", *picture, *heard, *coded, str(path))
    with tempfile.TemporaryFile() as said, subprocess.Popen(command, stdin=subprocess.PIPE, stderr=said) as encoder:
        assert encoder.stdin is not None
        try:
            for frame in frames:
                encoder.stdin.write(np.ascontiguousarray(frame).data)
            encoder.stdin.close()
        except BrokenPipeError:
            # The encoder has stopped, and says why below; what it was not given any more goes the same way.
            with suppress(BrokenPipeError):
                encoder.stdin.close()
        except BaseException:
            encoder.kill()
            raise
        if encoder.wait():
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines() or ["it does not say why"]
            reason = next((line for line in lines if "No space left" in line), lines[-1]).rpartition(": ")[2]
            raise OutputError(f"{path.parent}: the movie cannot be encoded: {reason}")


def _gif(path: Path, frames: Iterable[Bytes], count: int, rate: float) -> None:
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames]
    # One palette for all frames, or still parts would flicker.
    chosen = np.unique(np.linspace(0, count - 1, _PALETTE_FRAMES).round().astype(int))
    strip = Image.fromarray(np.concatenate([np.asarray(pictures[i]) for i in chosen]))
    palette = strip.quantize(255, method=Image.Quantize.MEDIANCUT)
    mapped = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    # Hundredths of a second, rounded so that the sum stays true.
    ends = np.round(100 * np.arange(count + 1) / rate)
    durations = (10 * np.diff(ends)).astype(int).tolist()
    mapped[0].save(path, save_all=True, append_images=mapped[1:], duration=durations, loop=0, optimize=False)


_CAPTION = (224, 226, 233)


def render_comparison(
    document: Document,
    time: float,
    ways: Mapping[str, Blending],
    *,
    clip: str | None = None,
    size: tuple[int, int] = (480, 480),
    camera: Camera | str | None = None,
    ground: bool = True,
    backend: Backend = "auto",
) -> Bytes:
    """A row of pictures (H, n·W, 3), each of `size` with its caption, all seen by the same camera."""
    if not ways:
        raise InvalidDocument("a comparison needs one way of blending at least")
    # Framed by the last of the ways: the paths of tearing vertices should not push the character into the distance.
    framing = replace(document, blending=list(ways.values())[-1])
    seen = Stage(framing, clip, Look(camera=camera)).framed(size[0] / size[1])
    pictures = []
    for caption, blending in ways.items():
        shown = replace(document, blending=blending)
        picture = render_frame(shown, time, clip=clip, size=size, camera=seen, ground=ground, backend=backend)
        pictures.append(captioned(picture, caption))
    return np.concatenate(pictures, axis=1)


def captioned(picture: Bytes, caption: str) -> Bytes:
    """The picture (H, W, 3) with a line of text in its upper left corner."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(picture)
    height = max(12, picture.shape[0] // 20)
    font = ImageFont.load_default(height)
    ImageDraw.Draw(image).text((height, 0.7 * height), caption, fill=_CAPTION, font=font)
    return np.asarray(image)
