"""`inbetweener studio`: animate in the browser."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from inbetweener.cli.console import note, say
from inbetweener.cli.source import OwnTerms, files_are_trusted
from inbetweener.errors import FormatError, InbetweenerError
from inbetweener.system import has_display

if TYPE_CHECKING:
    from inbetweener.studio.project.folder import Origin
    from inbetweener.studio.project.workspace import AlreadyRunning, Workspace


def studio(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|FOLDER|EXAMPLE]",
            help="What to open, maybe a folder that a batch wrote; by default what was left unsaved, or the robot.",
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="The project folder; by default the file's own, or Inbetweener at home.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; the next free port if taken.")] = 8765,
    host: Annotated[str, typer.Option(help="The address to listen at; this machine only, by default.")] = "127.0.0.1",
    certificate: Annotated[
        Path | None, typer.Option(help="Serve over TLS with this certificate (PEM, with those that signed it).")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The certificate's key, where that file does not hold it.")] = None,
    behind: Annotated[
        str | None, typer.Option(metavar="ORIGIN", help="Where a proxy serves it to others: https://studio.example")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    terms: OwnTerms = None,
) -> None:
    """Open the Studio: a local server and a page in your browser. Ctrl-C ends it; edits are never lost."""
    from inbetweener.document import edits
    from inbetweener.studio.project.workspace import AlreadyRunning, Workspace

    if key is not None and certificate is None:
        raise typer.BadParameter("a key is of use with its --certificate only", param_hint="--key")
    for each in terms or []:
        edits.add_terms(each)
    file = Path(source) if source is not None and (Path(source).suffix or Path(source).exists()) else None
    own = None if file is None else file.absolute() if file.is_dir() else file.absolute().parent
    workspace = Workspace(folder or own or Path.home() / "Inbetweener")
    origin = _origin(source, file, workspace)
    try:
        _serve(workspace, origin, no_open, host=host, port=port, certificate=certificate, key=key, behind=behind)
    except AlreadyRunning as error:
        _point_to(error, workspace, source, no_open)


def _origin(source: str | None, file: Path | None, workspace: "Workspace") -> "Origin | None":
    from inbetweener.builtin import examples
    from inbetweener.studio.project.folder import Folder, Origin

    if source is None:
        return None
    if file is None:
        if source not in (names := [each.name for each in examples()]):
            raise FormatError(source, "", "neither a file nor an example", f"examples: {', '.join(names)}")
        return Origin(example=source)
    if file.is_dir():
        return _worst(file, workspace)
    if not file.is_file():
        raise FormatError(file, "", "no such file")
    path = Folder(workspace.folder).named(file)
    if path is None:
        raise FormatError(file, "", f"is not in the project folder {workspace.folder}", "leave --folder out")
    return Origin(path=path)


def _worst(folder: Path, workspace: "Workspace") -> "Origin | None":
    """The worst clip of a batch, which the page lists with all others; of any other folder nothing in particular."""
    from inbetweener.batch.store import ABOUT
    from inbetweener.studio.project.batches import read_batch, worst_first
    from inbetweener.studio.project.folder import Folder, Origin

    within = Folder(workspace.folder).named(folder)
    if within is None:
        raise FormatError(folder, "", f"is not in the project folder {workspace.folder}", "leave --folder out")
    if not (folder / ABOUT).is_file():
        return None
    clips = worst_first(read_batch(folder, "" if within == "." else within))
    return Origin(path=clips[0].path) if clips else None


def _serve(
    workspace: "Workspace",
    origin: "Origin | None",
    no_open: bool,
    *,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    behind: str | None,
) -> None:
    from inbetweener.studio.server.studio import Studio

    _log_to_file()
    opened = Studio(
        workspace,
        origin,
        host=host,
        port=port,
        trust=files_are_trusted(),
        certificate=certificate,
        key=key,
        behind=behind,
    )
    try:
        opened.stop_on_signals(lambda: note("\nStopping"))
        opened.on_log_out = lambda fresh: say(f"Everybody is logged out; a new address, which works once:  {fresh}")
        if port and opened.port != port:
            note(f"Port {port} is taken by another program; using {opened.port}")
        if not _is_loopback(host):
            note(f"Warning: others on the network can reach this Studio at {host}; give the address to nobody else")
            if certificate is None:
                note(
                    "Warning: nothing on the way is encrypted, so whoever can listen there can come in as well; "
                    "use --certificate, or --behind a proxy on this machine"
                )
        invitation = opened.invitation()
        note(f"Project folder: {workspace.folder}")
        # On stdout and at once, for whoever waits for it.
        say(f"The Studio is at  {invitation}  (the address works once)")
        sys.stdout.flush()
        note("Ctrl-C stops it; edits that are not saved are kept for the next start")
        if not no_open:
            _show(invitation)
        opened.serve()
    finally:
        opened.close()


def _point_to(error: "AlreadyRunning", workspace: "Workspace", source: str | None, no_open: bool) -> None:
    """The Studio on this folder is there already: hand out a fresh address."""
    from inbetweener.studio.server.credentials import mint

    if error.running is None:
        raise InbetweenerError(str(error))
    invitation = f"{error.running.address}?token={mint(workspace.secret(), error.running.instance)}"
    note(f"A Studio is already running on {workspace.folder} (process {error.running.process})")
    if source is not None:
        note(f"Open {source} there with its File menu")
    say(f"The Studio is at  {invitation}  (the address works once)")
    if not no_open:
        _show(invitation)


def _show(address: str) -> None:
    """Open a browser where somebody can see it; it must not hold the server up."""
    if has_display():
        import webbrowser
        from threading import Thread

        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _is_loopback(host: str) -> bool:
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _log_to_file() -> None:
    """Faults of ours belong into a file, not between the lines of a terminal."""
    import logging
    from logging.handlers import RotatingFileHandler

    from platformdirs import user_log_path

    try:
        folder = user_log_path("inbetweener", ensure_exists=True)
        handler: logging.Handler = RotatingFileHandler(
            folder / "studio.log", maxBytes=1 << 20, backupCount=2, delay=True
        )
    except OSError:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
