"""The reference executor's own tools: descriptors in `registry.json`, which judge all args (VAL-01), and the work."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources

from callproof_reference.jsontext import Object
from callproof_reference.tools import files, places, texts
from callproof_reference.vault import Vault


@dataclass(frozen=True, slots=True)
class Tool:
    """A descriptor, as the registry publishes it, and what does the work: args in, data out, or ToolFailure."""

    descriptor: Object
    run: Callable[[Vault, Object], Object]


_WORK = {
    "vault.ensureFolder": places.ensure_folder,
    "vault.listFiles": places.list_files,
    "vault.readFile": files.read_file,
    "vault.createFile": files.create_file,
    "vault.writeFile": files.write_file,
    "vault.patchFile": files.patch_file,
    "vault.rename": places.rename,
    "vault.delete": places.delete,
    "vault.searchText": texts.search_text,
    "util.parseMarkdownBullets": texts.parse_markdown_bullets,
    "util.slugifyTitle": texts.slugify_title,
}
_DESCRIPTORS = json.loads(resources.files(__name__).joinpath("registry.json").read_text("utf-8"))

REGISTRY = {each["name"]: Tool(each, _WORK[each["name"]]) for each in _DESCRIPTORS}
