"""Attributes that no other program knows: by them a document comes back as it was."""

OURS = "inbetweener:"
DOCUMENT = f"{OURS}document"
"""On the root: the document as in a native file, without the arrays of meshes and without curves of clips."""
CLIP, CHANNEL = f"{OURS}clip", f"{OURS}channel:"
"""On the scope of a clip: its name, and before the names of its channels' splines; radians, metres, time codes."""
JOINT, MESH, PROP, AGAIN = f"{OURS}joint", f"{OURS}mesh", f"{OURS}prop", f"{OURS}again"
"""On nodes that are joints and props their names, on meshes their numbers; on a skeleton that is another one, bound
otherwise, the path of that."""
