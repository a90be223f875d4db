"""Documents, and how they change: edits, transactions, history, journal, the native file."""

from inbetweener.document import edits
from inbetweener.document.clearance import Clearance
from inbetweener.document.document import Aim, Constraint, Document, Loosening, Prop, Source
from inbetweener.document.editor import Changed, Editor, Transaction, TransactionError
from inbetweener.document.history import History, NothingToUndo, Step
from inbetweener.document.journal import JournalError, Recovery, read_journal
from inbetweener.document.native import read_native, write_native
from inbetweener.document.pose import Pose, read_pose, write_pose
from inbetweener.document.staging import CameraKey, Reference, Sound, Staging, View
from inbetweener.document.validation import problems, validate
from inbetweener.system import InUse

__all__ = [
    "Aim",
    "CameraKey",
    "Changed",
    "Clearance",
    "Constraint",
    "Document",
    "Editor",
    "History",
    "InUse",
    "JournalError",
    "Loosening",
    "NothingToUndo",
    "Pose",
    "Prop",
    "Recovery",
    "Reference",
    "Sound",
    "Source",
    "Staging",
    "Step",
    "Transaction",
    "TransactionError",
    "View",
    "edits",
    "problems",
    "read_journal",
    "read_native",
    "read_pose",
    "validate",
    "write_native",
    "write_pose",
]
