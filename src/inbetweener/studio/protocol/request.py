"""What all requests have in common."""

from msgspec import Struct

from inbetweener.studio.protocol.parts import Number


class Request(Struct, tag_field="type", kw_only=True, forbid_unknown_fields=True):
    """Base of all requests; `id` counts up from 1 on every connection."""

    id: Number
