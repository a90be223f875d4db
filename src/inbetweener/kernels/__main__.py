"""`python -m inbetweener.kernels FOLDER`: machine code of all kernels for a package to bring along.

Made for a processor that most machines have (`BASELINES`); nothing where there is no such processor.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from inbetweener import kernels


def main(folder: Path) -> None:
    """Leave it in `folder`, under the name of what it was made by and for."""
    import llvmlite.binding as llvm

    processor, _ = kernels.BASELINES.get(llvm.get_process_triple().partition("-")[0], ("", ""))
    if not processor:
        return
    with tempfile.TemporaryDirectory() as cache:
        # Before numba is imported, here and in the second process; empty is what that processor has, no word would be
        # what this one has.
        os.environ |= {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "INBETWEENER_CACHE": cache}
        for done, total, name in kernels.warm_up():
            print(f"{done + 1}/{total} {name}", file=sys.stderr)
        from inbetweener.kernels import machine

        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kernels.cache_folder(), folder / machine.made_here())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
