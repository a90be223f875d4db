"""What is said when something is not carried out."""

from inbetweener.errors import InbetweenerError


class Refusal(InbetweenerError):
    """A request that is not carried out; `code` lets the page ask the animator and try again."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


def mistake(error: Exception) -> str:
    """How a fault of ours is called; the log has the rest."""
    return f"The Studio made a mistake ({type(error).__name__}); nothing was changed. The log has more."
