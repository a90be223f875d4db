"""Finding a port: the one asked for, or the next that is free."""

import errno
import os
import socket

from inbetweener.errors import InbetweenerError

TRIES = 50
"""Ports looked at before giving up."""
_TAKEN = (errno.EADDRINUSE, errno.EACCES)


class CannotListen(InbetweenerError):
    """No socket can be had; says which address and why."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket at `port` or, where that is taken, at the next free one; port 0 takes any."""
    for candidate in range(port, min(port + TRIES, 65536)) if port else (0,):
        try:
            return _bound(host, candidate)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise CannotListen(f"cannot listen at {host}:{candidate}: {error.strerror or error}") from error
    raise CannotListen(f"no port from {port} to {port + TRIES - 1} is free at {host}; choose another with --port")


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # A server started again must not wait for the connections of the one before; on Windows this would let
            # two programs share a port.
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        # Listening at once shows whether the port is free: two sockets may be bound alike, but only one listens.
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made
