"""The reference executor's own tools: descriptors in `registry.json`, which judge all args (VAL-01), and their work."""

import base64
import json
import re
import unicodedata
from collections.abc import Callable
from importlib import import_module, resources
from itertools import islice
from typing import Any

from callproof_reference.values import NESTING, Failure, Object, sha256
from callproof_reference.vault import Vault, normal

_re2: Any = import_module("re2")  # its time is linear, so that no expression can hang a run; it ships no types
_MOST_BYTES = 1 << 20  # a guard for the log and the wire: every byte that is read is written there again
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")
_LISTED: list[Object] = json.loads(resources.files(__name__).joinpath("registry.json").read_text("utf-8"))
REGISTRY = {descriptor["name"]: descriptor for descriptor in _LISTED}


def ensure_folder(vault: Vault, args: Object) -> Object:
    """TOOL-01."""
    path = normal(args["path"])
    entry = vault.find(path)
    if entry is not None and entry.kind != "folder":
        raise Failure("CONFLICT", f"there is something at {path!r} that is not a folder")
    if not args.get("dryRun"):
        vault.make_folder(path)
    return {"path": path, "created": entry is None}


def list_files(vault: Vault, args: Object) -> Object:
    """TOOL-02, TOOL-03. Links and devices are left out, since no tool opens them."""
    prefix, offset, limit = normal(args.get("prefix", "")), int(args.get("offset", 0)), int(args.get("limit", 1000))
    vault.get(prefix, "folder")
    endings = tuple(f".{name.removeprefix('.')}".casefold() for name in args.get("extensions", ()))
    kinds, entries = ("file",) if endings else ("file", "folder"), vault.walk(prefix, deep=args.get("recursive", False))
    found = (each for each in entries if each.kind in kinds and each.path.casefold().endswith(endings or ""))
    items: list[Object] = []
    for each in islice(found, offset, offset + limit):
        facts = {"sizeBytes": each.size, "mtimeMs": each.modified_ms} if each.kind == "file" else {}
        items.append({"path": each.path, "kind": each.kind, **facts})
    more = {} if next(found, None) is None else {"nextOffset": offset + len(items)}
    return {"items": items, "truncated": bool(more), **more}


def read_file(vault: Vault, args: Object) -> Object:
    """TOOL-04. `truncated` is about what was asked for: it tells that `maxBytes` cut it short."""
    path, most, part = normal(args["path"]), int(args.get("maxBytes", _MOST_BYTES)), slice(None)
    if "range" in args:
        part = slice(int(args["range"]["start"]), int(args["range"]["end"]))
        if part.start > part.stop:
            raise Failure("VALIDATION_ERROR", f"the range begins at {part.start}, after its end at {part.stop}")
    content, modified, raw = vault.read(path), vault.get(path, "file").modified_ms, args.get("as") == "base64"
    asked = content[part] if raw else _as_text(path, content)[part].encode()
    data: Object = {"path": path, "etag": sha256(content), "mtimeMs": modified, "truncated": len(asked) > most}
    if raw:
        return {**data, "content": base64.b64encode(asked[:most]).decode()}
    return {**data, "content": asked[:most].decode(errors="ignore"), "encoding": "utf-8"}  # no half characters


def create_file(vault: Vault, args: Object) -> Object:
    """TOOL-05, TOOL-06. `ifNotExists` outranks the strategy: with it, nothing that exists is replaced."""
    path, text, strategy = normal(args["path"]), args["content"], args.get("collisionStrategy", "error")
    if frontmatter := args.get("frontmatter"):
        if text.startswith("---\n"):
            raise Failure("VALIDATION_ERROR", "the content begins with a frontmatter of its own")
        lines = (f"{json.dumps(name)}: {json.dumps(value)}\n" for name, value in frontmatter.items())  # JSON is YAML
        text = f"---\n{''.join(lines)}---\n{text}"
    if strategy == "create-unique":
        path = vault.unique(path)
    replace = strategy == "overwrite" and not args.get("ifNotExists")
    taken = vault.find(path)
    if taken is not None and (not replace or taken.kind != "file"):
        raise Failure("CONFLICT", f"there is already something at {path!r}")
    return {**_written(vault, path, text.encode(), args, replace=replace), "created": taken is None}


def write_file(vault: Vault, args: Object) -> Object:
    """TOOL-07, TOOL-08. A file that is not there is created (A69), unless an etag was expected of it."""
    path, added = normal(args["path"]), args["content"].encode()
    content = vault.read(path) if vault.find(path) is not None else None
    _expect(args, path, content)
    whole = (content or b"") + added if args.get("mode") == "append" else added
    return {**_written(vault, path, whole, args, replace=True), "bytesWritten": len(added)}


def patch_file(vault: Vault, args: Object) -> Object:
    """TOOL-09. The range is that of `start` and `end` in the matches of vault.searchText."""
    path, patch = normal(args["path"]), args["patch"]["replaceRange"]
    content = vault.read(path)
    _expect(args, path, content)
    old, start, end = _as_text(path, content), int(patch["start"]), int(patch["end"])
    if not start <= end <= len(old):
        raise Failure("PRECONDITION_FAILED", f"{path!r} has no range {start} to {end}: it ends at {len(old)}")
    new = old[:start] + patch["text"] + old[end:]
    return {**_written(vault, path, new.encode(), args, replace=True), "applied": new != old}


def _written(vault: Vault, path: str, content: bytes, args: Object, *, replace: bool) -> Object:
    written = {} if args.get("dryRun") else {"mtimeMs": vault.write(path, content, replace=replace).modified_ms}
    return {"path": path, "etag": sha256(content), **written}


def _expect(args: Object, path: str, content: bytes | None) -> None:
    expected = args.get("expectedEtag")
    if expected is not None and (content is None or sha256(content) != expected):
        raise Failure("CONFLICT", f"{path!r} is not what it was when its etag was taken")


def _as_text(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise Failure("PRECONDITION_FAILED", f"{path!r} is not a UTF-8 text; it can be read as base64") from error


def rename(vault: Vault, args: Object) -> Object:
    """TOOL-10. A name that differs in case or form only is no collision with itself (EFF-24)."""
    source, target = normal(args["fromPath"]), normal(args["toPath"])
    if not source or f"{target}/".startswith(f"{source}/"):
        raise Failure("VALIDATION_ERROR", f"{source!r} cannot become {target!r}")
    strategy, taken, moved = args.get("collisionStrategy", "error"), vault.find(target), vault.get(source)
    if taken is not None and taken.inode != moved.inode:
        if strategy == "create-unique":
            target = vault.unique(target)
        elif strategy == "error" or not moved.kind == taken.kind == "file":
            raise Failure("CONFLICT", f"there is already something at {target!r}")
    if not args.get("dryRun"):
        vault.move(source, target)
    return {"fromPath": source, "toPath": target}


def delete(vault: Vault, args: Object) -> Object:
    """TOOL-11. A folder goes with all that it holds."""
    path, trash = normal(args["path"]), args.get("trash", True)
    if not path:
        raise Failure("POLICY_DENIED", "the vault itself is not deleted")
    if not args.get("requireExists", True) and vault.find(path) is None:
        return {"path": path, "deleted": False}
    vault.get(path)
    if not args.get("dryRun"):
        vault.delete(path, trash=trash)
    return {"path": path, "deleted": True, "trashed": trash}


def search_text(vault: Vault, args: Object) -> Object:
    """TOOL-12. Files in order of their paths, matches in order of their places; empty matches do not count."""
    matches, width, options = list[Object](), int(args.get("snippetLength", 120)), _re2.Options()
    options.case_sensitive, options.log_errors = args.get("caseSensitive", False), False
    options.literal = args.get("mode", "plain") == "plain"  # so that ignoring case never moves an offset
    try:
        pattern = _re2.compile(args["query"] if options.literal else f"(?m){args['query']}", options)
    except _re2.error as error:
        raise Failure("VALIDATION_ERROR", f"the regular expression is refused: {error}") from error
    entries = [vault.get(normal(path)) for path in args.get("paths") or [""]]
    found = (each for entry in entries for each in (vault.walk(entry.path) if entry.kind == "folder" else [entry]))
    for path in sorted({each.path for each in found if each.kind == "file"}):
        try:
            content = vault.read(path).decode()
        except UnicodeDecodeError:
            continue
        for start, end in (match.span() for match in pattern.finditer(content)):
            vault.checkpoint()
            if start == end:
                continue
            if len(matches) == int(args.get("limit", 50)):
                return {"matches": matches, "truncated": True}
            line, snippet = content.count("\n", 0, start) + 1, _snippet(content, start, end, width)
            matches.append({"path": path, "line": line, "start": start, "end": end, "snippet": snippet})
    return {"matches": matches, "truncated": False}


def _snippet(content: str, start: int, end: int, width: int) -> str:
    first, last = content.rfind("\n", 0, start) + 1, content.find("\n", start)
    line_end = len(content) if last < 0 else last
    begin = max(first, min(start - max(width - (end - start), 0) // 2, line_end - width))
    return content[begin : min(begin + width, line_end)]


def parse_markdown_bullets(vault: Vault, args: Object) -> Object:
    """TOOL-16. The bullets of CommonMark that say something on their own line; `depth` counts the bullets around."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  a fifth of the start of an executor that reads no Markdown

    parser = MarkdownIt("commonmark", {"maxNesting": 2 * NESTING}).disable("inline")  # a list is two levels
    # This rule runs first wherever a block could begin, and accepts none: so a call can stop within a long text.
    parser.block.ruler.before("code", "checkpoint", lambda _state, _line, _end, _silent: vault.checkpoint() or False)
    source = args["text"].replace("\r\n", "\n").replace("\r", "\n")
    lines, items, depth, bullet = source.split("\n"), list[Object](), -1, -1
    for token in parser.parse(source):
        line = token.map[0] if token.map else -1
        depth += {"bullet_list_open": 1, "bullet_list_close": -1}.get(token.type, 0)
        if token.type == "list_item_open" and token.markup in "-*+":
            bullet = line
        elif token.type == "inline" and line == bullet and (depth == 0 or args.get("allowNested")):
            items.append({"text": token.content.split("\n")[0], "raw": lines[line], "depth": depth})
    return {"items": items, "count": len(items)}


def slugify_title(_vault: Vault, args: Object) -> Object:
    """TOOL-17. Letters and digits of every script in lower case, without accents; a hyphen for everything between."""
    longest = int(args.get("maxLength", 60))
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", args["title"]).casefold())
    kept = unicodedata.normalize("NFC", "".join(sign for sign in plain if not unicodedata.combining(sign)))
    words = "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in kept).split()
    slug = "-".join(words)[:longest].rstrip("-")
    if not slug or _DEVICES.fullmatch(slug):  # no name at all, or one that some systems keep for devices
        slug = f"note-{slug}"[:longest].rstrip("-")
    return {"slug": slug}


WORK: dict[str, Callable[[Vault, Object], Object]] = {
    "vault.ensureFolder": ensure_folder,
    "vault.listFiles": list_files,
    "vault.readFile": read_file,
    "vault.createFile": create_file,
    "vault.writeFile": write_file,
    "vault.patchFile": patch_file,
    "vault.rename": rename,
    "vault.delete": delete,
    "vault.searchText": search_text,
    "util.parseMarkdownBullets": parse_markdown_bullets,
    "util.slugifyTitle": slugify_title,
}
