"""Edits of what surrounds the character: props, the view, the document's name."""

from dataclasses import replace

from inbetweener.document.document import Document, Prop
from inbetweener.document.edits.constraints import constraints_of_changed_prop, constraints_without_prop
from inbetweener.document.staging import View
from inbetweener.errors import InvalidDocument, UnknownName


def rename_document(document: Document, name: str) -> Document:
    """The document under another name."""
    if not name.strip():
        raise InvalidDocument("a document needs a name")
    return replace(document, name=name)


def set_view(document: Document, view: View | None) -> Document:
    """Where the camera looks from; None leaves it to whoever shows the document."""
    return replace(document, view=view)


def add_prop(document: Document, prop: Prop) -> Document:
    """The document with one more prop."""
    if any(each.name == prop.name for each in document.props):
        raise InvalidDocument(f"there is already a prop called {prop.name!r}; choose another name")
    if prop.joint is not None:
        document.rig.joint_index(prop.joint)
    return replace(document, props=(*document.props, prop))


def remove_prop(document: Document, prop: str) -> Document:
    """The document without a prop, and without what was held in its space."""
    gone = _prop_called(document, prop)
    left = tuple(each for each in document.props if each is not gone)
    return replace(document, props=left, constraints=constraints_without_prop(document, prop))


def replace_prop(document: Document, prop: str, changed: Prop) -> Document:
    """The document with `changed` where the prop called `prop` was: moved, resized, renamed, given to a joint."""
    old = _prop_called(document, prop)
    return replace(
        document,
        props=tuple(changed if each is old else each for each in document.props),
        constraints=constraints_of_changed_prop(document, prop, changed.name, changed.joint),
    )


def _prop_called(document: Document, prop: str) -> Prop:
    """The prop called `prop`."""
    for each in document.props:
        if each.name == prop:
            return each
    raise UnknownName("prop", prop, [each.name for each in document.props])
