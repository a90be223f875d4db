"""Hostile names in a real browser: markup, scripts and control characters wherever a page shows a name run nothing.

`python -m torture.names [--count DOCUMENTS] [--seed SEED]`. Every document has one hostile text in all of its names.
"""

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.harness import Figure
from inbetweener.document.native.read import document_from, native_text
from inbetweener.studio.project.folder import Origin
from inbetweener.studio.server.studio import Studio
from tests.browser.conftest import FLAGS, fresh_profile
from tests.browser.studio_page import StudioPage
from tests.document.puppet import puppet
from tests.studio.served import served
from torture.command import main, told

HOSTILE = [
    "<img class=hostile src=x onerror=hit()>",
    '"><script class=hostile>hit()</script>',
    "'><svg class=hostile onload=hit()>",
    "</style></title></textarea><script class=hostile>hit()</script>",
    "<iframe class=hostile srcdoc='<script>parent.hit()</script>'>",
    "<a class=hostile href=javascript:hit()>x</a>",
    "javascript:hit()",
    "${hit()}{{hit()}}#{hit()}`${hit()}`",
    "' onfocus=hit() autofocus class=hostile '",
    '" onmouseover=hit() class=hostile x="',
    "&lt;img class=hostile src=x onerror=hit()&gt;",
    "<!--<img class=hostile src=x onerror=hit()>-->",
    "\u202e<b class=hostile>\u200b\ufeff",
    "\x01\x07\x1b[31m\x7f\x85<b class=hostile>",
    "\t\n\r<b class=hostile>\u2028",
    "😀🏴‍☠️é́́́́ﷺ<b class=hostile>",
    "../../<b class=hostile>\\..%2f%00",
    "__proto__",
    "<b class=hostile>" + 200 * "x",
]
KINDS = {
    "document": "puppet", "joint": "hips", "limb": "arm.l", "point": "hand", "control": "bend", "shape": "smile",
    "clip": "walk", "layer": "breath", "obstacle": "ball", "prop": "wall", "carried": "stick", "mesh": "nail",
}  # fmt: skip
"""What is renamed, and what it is called in the document before."""

# Every element and text of the page, those within components too.
EYES = """
window.everything = function* (root = document) {
  for (const each of root.querySelectorAll("*")) {
    yield each;
    if (each.shadowRoot) yield* window.everything(each.shadowRoot);
  }
};
window.hits = 0;
window.hit = () => window.hits++;
window.forbidden = [];
document.addEventListener("securitypolicyviolation", (each) => window.forbidden.push(each.violatedDirective));
"""
SEEN = """(marks) => {
  const seen = {};
  const note = (text, where) => {
    for (const mark of marks) if (text?.includes(mark)) (seen[mark] ??= []).push(where);
  };
  let made = 0;
  for (const each of window.everything()) {
    const where = `${each.getRootNode().host?.localName ?? ""} ${each.localName}`;
    if (each.classList?.contains("hostile")) made++;
    for (const node of each.childNodes) if (node.nodeType === 3) note(node.data, where);
    for (const { name, value } of each.attributes) note(value, `${where}[${name}]`);
    if ("value" in each && typeof each.value === "string") note(each.value, `${where}.value`);
  }
  return { seen, made, hits: window.hits, forbidden: window.forbidden };
}"""
CLICK_ALL = """(selector) => {
  for (const each of [...window.everything()].filter((each) => each.matches(selector))) each.click();
}"""
CALL_MENUS = """() => {
  for (const each of [...window.everything()].filter((each) => each.matches("[data-at], canvas, .clip, li, td"))) {
    const { left, top, width, height } = each.getBoundingClientRect();
    const where = { clientX: left + width / 2, clientY: top + height / 2 };
    each.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, composed: true, cancelable: true, ...where }));
  }
}"""


@dataclass
class Tally:
    """What was counted."""

    documents: int = 0
    names: int = 0
    places: set[str] = field(default_factory=set)
    shown: int = 0
    ran: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def drive(count: int, seed: int) -> list[Figure]:
    """Show `count` documents."""
    tally = Tally()
    with (
        tempfile.TemporaryDirectory(prefix="inbetweener-names-") as folder,
        sync_playwright() as playwright,
        served(Path(folder), Origin(example="waving")) as studio,
    ):
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        context = fresh_profile(chromium)
        for number in range(count):
            page = StudioPage(context.new_page())
            look_at(page, studio, number, Random(f"{seed} {number}"), tally)
            page.page.close()
        context.close()
        chromium.close()
    return figures(tally)


def figures(tally: Tally) -> list[Figure]:
    """What was counted."""
    return [
        Figure("documents", tally.documents, ""),
        Figure("hostile names in them", tally.names, ""),
        Figure("kinds of places on the page that showed one", len(tally.places), "", at_least=25),
        Figure("names of them shown somewhere", 100 * tally.shown / tally.names, "%", at_least=90),
        Figure("scripts run, elements made, policies broken", told(tally.ran), "", at_most=0),
        Figure("other complaints of the page", told(tally.problems), "", at_most=0),
    ]


def look_at(page: StudioPage, studio: Studio, number: int, random: Random, tally: Tally) -> None:
    """Open a document of hostile names and look into every corner of the page."""
    text = HOSTILE[number % len(HOSTILE)]
    names = {old: f"{text}{kind}{number}" for kind, old in KINDS.items()}
    marks = {f"{kind}{number}" for kind in KINDS}
    content = json.dumps(_renamed(json.loads(native_text(puppet())), names)).encode()
    document_from(content, "hostile.tween")
    safe = "".join(letter for letter in text if letter.isprintable() and letter not in "/\\")
    # One that cannot be asked for by its name, but may lie there and be listed.
    for name in (f"{safe[:60]}file{number}.tween", f"file{number}.tween"):
        (studio.workspace.folder / name).write_bytes(content)
    tally.documents += 1
    tally.names += len(names)
    page.page.add_init_script(EYES)
    page.page.on("dialog", lambda dialog: (tally.ran.append(f"{text!r} opened a dialog"), dialog.dismiss()))
    page.visit(studio.invitation())
    page.page.evaluate("(path) => window.inbetweener.model.ask({ type: 'open-file', path, discard: true })", name)
    page.page.wait_for_function("(name) => window.inbetweener.model.scene.value?.name === name", arg=names["puppet"])
    page.ready()
    page.settle()
    seen: dict[str, set[str]] = {}

    def look() -> None:
        page.page.evaluate("() => new Promise((next) => requestAnimationFrame(() => setTimeout(next)))")
        found = page.page.evaluate(SEEN, [*marks, f"file{number}"])
        for mark, places in found["seen"].items():
            seen.setdefault(mark, set()).update(places)
        if found["made"] or found["hits"] or found["forbidden"]:
            tally.ran.append(f"{text!r}: {found['made']} made, {found['hits']} run, {found['forbidden']} forbidden")

    for visit in _visits(page, names):
        visit()
        look()
    tally.shown += len(marks & seen.keys())
    tally.places |= {place for places in seen.values() for place in places}
    tally.problems += [f"{text!r}: {each}" for each in page.complaints]
    page.complaints.clear()


def _renamed(value: Any, names: dict[str, str]) -> Any:
    """A document's JSON with other names; "arm.l.rz" is a channel of arm.l."""
    match value:
        case dict():
            return {_renamed(key, names): _renamed(each, names) for key, each in value.items()}
        case list():
            return [_renamed(each, names) for each in value]
        case str():
            head, dot, axis = value.rpartition(".")
            if dot and head in names:
                return f"{names[head]}.{axis}"
            return names.get(value, value)
    return value


def _visits(page: StudioPage, names: dict[str, str]) -> list[Callable[[], object]]:
    """What a person does to see all there is."""

    def ask(request: dict[str, Any]) -> Callable[[], object]:
        # Refusals are shown as notices, with the names in them.
        script = "(request) => window.inbetweener.model.ask(request).catch((e) => window.inbetweener.model.refuse(e))"
        return lambda: page.page.evaluate(script, request)

    def pick(joint: str) -> Callable[[], object]:
        script = """(joint) => {
            const { selection } = window.inbetweener.model;
            selection.pick({ parts: [{ joint, offset: [0, 0, 0], weight: 1 }], name: "" });
            selection.hovered.value = selection.active.place;
        }"""
        return lambda: page.page.evaluate(script, joint)

    def command(name: str) -> Callable[[], object]:
        return lambda: page.run(f"inbetweener.commands.run('{name}')")

    place = {"parts": [{"joint": names["arm.l"], "offset": [0, 0, 0], "weight": 1}], "name": names["hand"]}
    escape: Callable[[], object] = lambda: page.press("Escape")  # noqa: E731
    control = "(name) => window.inbetweener.model.selection.pickControl(name)"
    return [
        lambda: page.page.evaluate(CLICK_ALL, "summary"),
        lambda: page.page.evaluate(CLICK_ALL, ".tab, [role=tab]"),
        pick(names["hips"]),
        pick(names["arm.l"]),
        lambda: page.page.evaluate(control, names["bend"]),
        lambda: page.page.evaluate(control, names["smile"]),
        ask({"type": "add-pin", "place": place}),
        ask({"type": "add-contact", "place": place, "start": 0.0, "end": 1.0}),
        ask({"type": "insert-keys", "channels": [names["bend"]], "time": 0.7}),
        ask({"type": "rename-document", "name": names["puppet"] + "!"}),
        ask({"type": "remove-constraint", "name": names["ball"]}),
        ask({"type": "change-layer", "layer": names["wall"], "muted": True}),
        ask({"type": "open-file", "path": names["nail"]}),
        ask({"type": "export", "path": "x.bvh"}),
        command("open"),
        escape,
        command("save-as"),
        escape,
        command("export"),
        escape,
        command("rename"),
        escape,
        lambda: page.page.evaluate(CALL_MENUS),
        escape,
        ask({"type": "undo"}),
    ]


if __name__ == "__main__":
    main("names", drive, 2 * len(HOSTILE))
