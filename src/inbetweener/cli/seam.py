"""`inbetweener smooth-seam`: let a loop flow on from its end into its start."""

from inbetweener.cli.console import answer, prepare_kernels, printed_warnings
from inbetweener.cli.source import ClipName, Json, Output, Source, open_source


def smooth_seam(source: Source, output: Output, clip: ClipName = None, json: Json = False) -> None:
    """Give curves of SOURCE that end at another slope than they start with their mean; no key moves."""
    from inbetweener.document import edits
    from inbetweener.formats import save

    prepare_kernels()
    with printed_warnings() as notes:
        result = edits.smooth_seam(open_source(source), clip=clip)
        save(result.document, output)
    answer(result, output, notes, json=json)
