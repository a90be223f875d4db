"""Articulated bodies: what hangs on a joint, as a push there feels it."""
