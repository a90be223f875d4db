"""What people did to clips of a batch: edits, and that a clip is done; the batch reads it, and writes none of it.

Of each such clip there is a folder, `hand/NAME/`: `hand.json` and, where it was edited, a folder called by its id with
the edited document and `base.tween`, the result of the batch that it was made of. `hand.json` comes last and in one
stroke, so that a crash leaves what was there before.
"""

import re
import secrets
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from inbetweener.batch.store import BASE, HAND, HAND_NOTE
from inbetweener.document import Document, edits, write_native
from inbetweener.document.edits.constraints import add_constraint
from inbetweener.errors import InbetweenerError
from inbetweener.formats import read
from inbetweener.motion import Curves, Layer
from inbetweener.motion.layers import difference
from inbetweener.rig.naming import free_name
from inbetweener.system import make_folder, replace_file, sync_folder

BY_HAND = "by hand"
"""What the layer of hand edits is called."""
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Hand:
    """What was done to one clip by hand: `id` names the edited document, and is empty where it was not edited."""

    name: str
    done: bool = False
    id: str = ""

    @property
    def edited(self) -> str:
        """Where the edited document is, below the batch's folder; empty where there is none."""
        return f"{HAND}/{self.name}/{self.id}/{PurePosixPath(self.name).stem}.tween" if self.id else ""

    @property
    def base(self) -> str:
        """Where the result that was edited is."""
        return f"{HAND}/{self.name}/{self.id}/{BASE}" if self.id else ""


def as_hand(kept: dict[str, Any] | None, name: str) -> Hand:
    """What was kept of the clip called so; of nothing, and of what nobody understands, that nothing was done.

    The note may be a stranger's: it is of the clip beside which it lies, whatever it says, and leads nowhere else.
    """
    try:
        found = Hand(name) if kept is None else msgspec.convert(kept, Hand)
    except msgspec.ValidationError:
        found = Hand(name)
    return replace(found, name=name, id=found.id if _ID.fullmatch(found.id) else "")


def mark(output: Path, hand: Hand) -> Hand:
    """Keep whether a clip is done; its edits stay as they are."""
    note = output / HAND / hand.name / HAND_NOTE
    make_folder(note.parent)
    if note.is_symlink():
        note.unlink()
    replace_file(note, msgspec.json.format(msgspec.json.encode(asdict(hand))))
    for each in note.parent.iterdir():
        # Edits of before, and what a crash left. Folders of other clips may lie below: theirs are no ids.
        old = each.is_dir() and not each.is_symlink() and each.name != hand.id
        if old and (each / BASE).is_file():
            shutil.rmtree(each)
    return hand


def keep(output: Path, hand: Hand, document: Document, opened: Path) -> Hand:
    """Keep a document that was made by hand of the file `opened`: a result of the batch, or what was kept before."""
    beside = opened.with_name(BASE)
    base = read(beside if beside.is_file() else opened).document
    if document == base:
        return mark(output, replace(hand, id=""))
    made = replace(hand, id=secrets.token_hex(8))
    folder = (output / made.edited).parent
    make_folder(folder)
    write_native(base, output / made.base)
    write_native(document, output / made.edited)
    sync_folder(folder)
    return mark(output, made)


def laid_over(new: Document, base: Document, edited: Document) -> tuple[Document, tuple[str, ...]]:
    """Another result with the hand edits of an earlier one, as a layer; and what of them found no place, one line each.

    Every clip moves as the new result does, plus what the hand added: new + (edited - base), channel by channel. Where
    the result is the same as before, the edited document is taken as it is.
    """
    if new == base:
        return edited, ()
    made, lost = new, list[str]()
    was, now = ({clip.name: clip for clip in each.clips} for each in (base, new))
    for clip in edited.clips:
        if clip.name not in was or clip.name not in now:
            lost.append(f"clip {clip.name!r} of the hand edits is in no result of the batch")
            continue
        added = difference(edited.rig, was[clip.name], clip)
        known = {name: curve for name, curve in added.items() if name in {each.name for each in new.rig.channels}}
        if len(known) < len(added):
            lost.append(f"hand edits of {', '.join(sorted(added.keys() - known.keys()))}: the body has none of these")
        if known:
            name = free_name(BY_HAND, {each.name for each in now[clip.name].layers})
            made = edits.add_layer(made, clip.name, Layer(name, Curves(known)))
    for constraint in edited.constraints:
        if constraint not in base.constraints and constraint not in made.constraints:
            try:
                made = add_constraint(made, constraint.clip, constraint.rule)
            except InbetweenerError as error:
                lost.append(f"{constraint.name}: {error}")
    others = ("rig", "loosenings", "props", "meshes")
    changed = [each for each in others if getattr(edited, each) != getattr(base, each)]
    if changed:
        lost.append(f"hand edits of {', '.join(changed)} are not carried over; the edited document has them still")
    return made, tuple(lost)
