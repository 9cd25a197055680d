"""The reference executor's own tools, by name: the descriptors of `registry.json` and the work behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

from callproof_reference.tools import files, places, search, text
from callproof_reference.tools.contract import Tool

_WORK = {
    "vault.ensureFolder": places.ensure_folder,
    "vault.listFiles": places.list_files,
    "vault.readFile": files.read_file,
    "vault.createFile": files.create_file,
    "vault.writeFile": files.write_file,
    "vault.patchFile": files.patch_file,
    "vault.rename": places.rename,
    "vault.delete": places.delete,
    "vault.searchText": search.search_text,
    "util.parseMarkdownBullets": text.parse_markdown_bullets,
    "util.slugifyTitle": text.slugify_title,
}
_DESCRIPTORS = json.loads(resources.files(__name__).joinpath("registry.json").read_text("utf-8"))

REGISTRY: Mapping[str, Tool] = {each["name"]: Tool(each, _WORK[each["name"]]) for each in _DESCRIPTORS}
