"""Where the machine's Chromium is, and whether there is all that it takes to drive it."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
MISSING = "Chromium" if CHROMIUM is None else "the package playwright" if find_spec("playwright") is None else None
