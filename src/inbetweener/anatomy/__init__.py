"""What the joints of a rig are: hips, spine, arms and legs, by their names and by their shape."""

from inbetweener.anatomy.exchange import from_json, to_json
from inbetweener.anatomy.part import ROLES, Anatomy, Part, Role
from inbetweener.anatomy.recognise import recognise

__all__ = ["ROLES", "Anatomy", "Part", "Role", "from_json", "recognise", "to_json"]
