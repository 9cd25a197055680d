"""The path of the machine's Chromium, and which part of what is needed to drive it is missing."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
MISSING = "Chromium" if CHROMIUM is None else "the package playwright" if find_spec("playwright") is None else None
