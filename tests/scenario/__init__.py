"""The long scenario: every method on one character, one undo stack."""
