"""Pins and contacts as people type them: "hips", "hips+turn", "hips@0.5:1.5"."""

import math

import typer

from inbetweener.cli.moments import place_during
from inbetweener.motion import Clip
from inbetweener.rig import Rig
from inbetweener.tangents import Contact, Pin


def pins_and_contacts(rig: Rig, clip: Clip, pins: list[str], contacts: list[str]) -> tuple[Pin | Contact, ...]:
    """What --pin and --contact say; a contact needs its times."""
    found: list[Pin | Contact] = []
    for text in pins:
        place, wanted, start, end = place_during(rig, clip, text, "--pin")
        found.append(Pin(place, wanted, start, end))
    for text in contacts:
        place, wanted, start, end = place_during(rig, clip, text, "--contact")
        if not (math.isfinite(start) and math.isfinite(end)):
            raise typer.BadParameter(f"{text!r} needs its times, as in {text}@0.5:1.5", param_hint="--contact")
        found.append(Contact(place, start, end, wanted))
    return tuple(found)
