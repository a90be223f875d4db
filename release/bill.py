"""What goes into a release besides our own code, as a CycloneDX bill of materials.

Python packages are those that the wheel asks for, with what these ask for, at the versions that requirements/run.txt
names; the page's are those that its lock names for use. The same commit gives the same bytes.
"""

import base64
import json
import re
import uuid
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Json = dict[str, Any]


def bill(root: Path, version: str, when: str) -> Json:
    """For a source tree; `when` is the moment of its commit, in ISO 8601."""
    ours: Json = {
        "type": "application",
        "name": "inbetweener",
        "version": version,
        "purl": f"pkg:pypi/inbetweener@{version}",
        "bom-ref": f"pkg:pypi/inbetweener@{version}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    parts, needs = python_packages(root)
    page = page_packages(root)
    listed = sorted([*parts.values(), *page], key=lambda part: str(part["purl"]))
    first = {need.name for need in _asked(root)}
    direct = [parts[name]["bom-ref"] for name in map(canonicalize_name, first) if name in parts]
    below = [
        {"ref": parts[name]["bom-ref"], "dependsOn": sorted(parts[each]["bom-ref"] for each in its)}
        for name, its in sorted(needs.items())
    ]
    whole = {"ref": ours["bom-ref"], "dependsOn": sorted([*direct, *(part["bom-ref"] for part in page)])}
    told: Json = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": when, "component": ours},
        "components": listed,
        "dependencies": [whole, *below],
    }
    told["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(told, sort_keys=True))}"
    return told


def python_packages(root: Path) -> tuple[dict[str, Json], dict[str, set[str]]]:
    """By name, what the wheel brings along when it is installed, and what each of them needs."""
    pinned = dict(_pinned(root / "requirements" / "run.txt"))
    found: dict[str, Json] = {}
    needs: dict[str, set[str]] = {}
    left = [(need.name, need.extras) for need in _asked(root)]
    while left:
        said, extras = left.pop()
        name = canonicalize_name(said)
        if name in found or name not in pinned:
            continue
        found[name] = _component(name, pinned[name])
        its = list(_needed_by(name, extras))
        needs[name] = {canonicalize_name(each.name) for each in its} & pinned.keys()
        left += [(each.name, each.extras) for each in its]
    return found, needs


def page_packages(root: Path) -> list[Json]:
    """What is built into the Studio's page."""
    lock = json.loads((root / "web" / "package-lock.json").read_text())["packages"]
    found = []
    for place, facts in lock.items():
        if not place or facts.get("dev") or facts.get("optional") or facts.get("peer") or facts.get("link"):
            continue
        name, version = place.rpartition("node_modules/")[2], facts["version"]
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        part: Json = {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl}
        if licence := facts.get("license"):
            part["licenses"] = [{"expression": licence}]
        kind, _, digest = facts.get("integrity", "").partition("-")
        if kind == "sha512":
            part["hashes"] = [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}]
        found.append(part)
    return found


def _asked(root: Path) -> list[Requirement]:
    import tomllib

    return [*map(Requirement, tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"])]


def _pinned(lock: Path) -> Iterator[tuple[str, str]]:
    for name, version in re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock.read_text(), re.MULTILINE):
        yield canonicalize_name(name), version


def _needed_by(name: str, extras: set[str]) -> Iterator[Requirement]:
    """What an installed package asks for, on whatever system; nothing is known of one that only others need."""
    try:
        listed = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for need in map(Requirement, listed):
        if "extra" not in str(need.marker) or any(need.marker and need.marker.evaluate({"extra": e}) for e in extras):
            yield need


def _component(name: str, version: str) -> Json:
    purl = f"pkg:pypi/{name}@{version}"
    part: Json = {"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl}
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return part
    if expression := told.get("License-Expression"):
        part["licenses"] = [{"expression": expression}]
    elif named := [each.rpartition(" :: ")[2] for each in told.get_all("Classifier", []) if each.startswith("License")]:
        part["licenses"] = [{"license": {"name": each}} for each in sorted(set(named))]
    return part
