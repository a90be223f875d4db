"""Run in a clean environment: every module but those of extras can be imported, and the page is there."""

import importlib
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

began = time.perf_counter()
import inbetweener  # noqa: E402  # timed

took = time.perf_counter() - began
folder = Path(inbetweener.__file__).parent
assert "site-packages" in str(folder), folder
size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
# Read in a process of its own, which is started only where the extra is there.
EXTRAS = ("inbetweener.formats.usd.inside.",)
count = 0
for module in pkgutil.walk_packages(inbetweener.__path__, "inbetweener."):
    if not module.name.startswith(EXTRAS):
        importlib.import_module(module.name)
        count += 1
assert (folder / "studio" / "bundle" / "index.html").is_file(), "the page is not in the package"
cli = "import time; t = time.perf_counter(); import inbetweener.cli; print(time.perf_counter() - t)"
times = sorted(float(subprocess.check_output([sys.executable, "-I", "-c", cli])) for _ in range(5))
print(f"  {size / 1e6:.1f} MB installed, {count} modules; import {took:.2f} s, command line {times[2]:.2f} s")
