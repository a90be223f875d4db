"""The Studio: a local server that owns the document, and the page that draws it and asks.

The package can be called: `ib.studio(document)` opens a Studio on a document and answers with its `LiveStudio`.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inbetweener.studio.live import LiveStudio


class _Package(ModuleType):
    def __call__(self, *document: Any, **words: Any) -> "LiveStudio":
        """Open a Studio on a document; see LiveStudio."""
        from inbetweener.studio.live import LiveStudio

        return LiveStudio(*document, **words)


sys.modules[__name__].__class__ = _Package
