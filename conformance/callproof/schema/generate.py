"""``python -m callproof.schema.generate [--check]``: ``schemas/`` from the blocks in ``spec/`` and the folders in it.

The index of the chapters comes with it.  One command, two modes.  Writing makes the files
hold exactly what the chapters say; checking fails, naming every file that differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from callproof.resources import SCHEMAS, SPEC
from callproof.schema.bundle import bundle
from callproof.schema.canon import canonical_definition
from callproof.spec.chapters import read_chapter
from callproof.spec.conventions import Conventions, conventions
from callproof.spec.index import NAME, index_of
from callproof.spec.registry import Specification, protocols, specification, whole_specification
from callproof.values.jsontext import Json


def generated(spec: Specification) -> Mapping[str, str]:
    """The text of every schema file and description of the specification, by its path below ``schemas/``."""
    shapes = {f"{name}.json": _text(bundle(shape, spec.shapes)) for name, shape in sorted(spec.shapes.items())}
    return {**shapes, **{f"{name}.json": _text(each.document) for name, each in sorted(spec.descriptions.items())}}


def generated_for_tools(laws: Conventions) -> Mapping[str, str]:
    """The text of every file that the conventions give: their shapes, and the canonical definitions."""
    shapes = {
        f"tools/{name}.json": _text(bundle(replace(shape, name=f"tools/{name}"), laws.shapes))
        for name, shape in sorted(laws.shapes.items())
    }
    canon = {f"tools/canon/{name}.json": _text(canonical_definition(tool, laws)) for name, tool in laws.tools.items()}
    return {**shapes, **canon}


def everything() -> Mapping[str, str]:
    """The text of every file below ``schemas/``."""
    beside = {name: text for each in protocols().values() for name, text in generated(each).items()}
    return {**generated(specification()), **beside, **generated_for_tools(conventions())}


def index_again() -> str:
    """The text of the index of all chapters, which are read from Markdown for it, whatever the index says now."""
    return index_of(read_chapter(each.name, each.text) for each in whole_specification().chapters)


def _text(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def drift(wanted: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """The paths below the folder that are missing, differ, or are not wanted."""
    present = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.json")}
    return tuple(
        name
        for name in sorted(wanted.keys() | present.keys())
        if name not in wanted or name not in present or present[name].read_text(encoding="utf-8") != wanted[name]
    )


def write(wanted: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """Make the folder hold exactly the wanted files; returns the paths that changed."""
    changed = drift(wanted, folder)
    for name in changed:
        path = folder / name
        if name in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[name], encoding="utf-8")
        else:
            path.unlink()
    return changed


def main(arguments: Sequence[str]) -> int:
    """Write, or with ``--check`` compare; 0 if nothing differs, 1 on drift, 2 on wrong usage."""
    if list(arguments) not in ([], ["--check"]):
        sys.stderr.write("usage: python -m callproof.schema.generate [--check]\n")
        return 2
    index, text = Path(str(SPEC)) / NAME, index_again()
    folder, wanted = Path(str(SCHEMAS)), everything()
    is_current = index.is_file() and index.read_text(encoding="utf-8") == text
    stale = [*([] if is_current else [f"spec/{NAME}"]), *(f"schemas/{name}" for name in drift(wanted, folder))]
    if arguments:
        sys.stdout.writelines(f"{name} differs from the chapters: run `nox -s generate`\n" for name in stale)
        return 1 if stale else 0
    index.write_text(text, encoding="utf-8")
    write(wanted, folder)
    sys.stdout.writelines(f"wrote {name}\n" for name in stale)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
