"""SC-14: denied tools, every path member with every spelling of an escape, links that lead out, innocent names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Reply, Stage, Write, returns, script, secretly, sleeper, writing
from callproof.live.canonical_tools import CREATE_FILE, DELETE, LIST_FILES, READ_FILE, RENAME, WRITE_FILE
from callproof.live.case import Case, Item, ItemKind, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, TROUBLE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_DENIED = ("POL-02", "POL-14", "ERR-04", "EVT-07", "EFF-19")
_PATH: Object = {"type": "string"}
_MEMBERS: Object = {
    "type": "object",
    "properties": {
        "path": _PATH,
        "fromPath": _PATH,
        "toPath": _PATH,
        "paths": {"type": "array", "items": _PATH},
        "options": {"type": "object", "properties": {"path": _PATH}, "additionalProperties": False},
        "frontmatter": {"type": "object"},
        "text": {"type": "string"},
        "prefix": {"type": "string"},
    },
    "required": [],
    "additionalProperties": False,
}
_A_PATH = closed(path=_PATH)
_DENY: list[Json] = [
    *("..", "://", "private", "*.key", "??.tmp", "a/shut", "caf\u00e9"),
    *("[x]*", "~", "nai\u0308ve"),  # only * and ? are special in a glob; `~` may stand anywhere; both sides are NFC
]
_SANDBOX: Object = {"enabled": True, "allowedRoots": ["Notes"], "denyPatterns": _DENY}


def _sandboxed(
    name: str, says: str, args: Sequence[Object], *aims: str, sandbox: Object | None = None, does: Reply | None = None
) -> Case:
    """One step for each argument object, each on its own, with a tool that would write if it were called."""
    wrote = writing(returns({}), "escaped.md", "the sandbox did not hold")
    once = script(does or wrote, returns({}, observed={}))  # what is there already is not created again
    steps = [step(f"s{number}", "witness.files", each, onError="skip") for number, each in enumerate(args, 1)]
    return Case(
        id=f"SC-14/{name}",
        says=says,
        plan=plan(*steps, risk="writes"),
        policy=policy(sandbox=sandbox),
        tools=(hosted("witness.files", once, takes=_MEMBERS, gives=closed(), risk="writes"),),
        folder=(Item("Notes", ItemKind.FOLDER), Item("../outside/secret.md", text="not yours")),
        provokes=(*ENVELOPE, *FAILURE, *aims),
    )


def _denied(name: str, says: str, paths: Sequence[str], *aims: str, sandbox: Object | None = None) -> Case:
    return _sandboxed(name, says, [{"path": each} for each in paths], *_DENIED, *aims, sandbox=sandbox)


def _innocent(name: str, says: str, paths: Sequence[str], *aims: str, sandbox: Object | None = None) -> Case:
    args = [{"path": each} for each in paths]
    case = _sandboxed(name, says, args, sandbox=sandbox, does=returns({}, observed={}))
    return replace(case, provokes=(*ENVELOPE, *aims))


def _no_paths() -> Case:
    says = "Text that looks like an escape, in members that are not paths"
    case = _sandboxed("no-paths", says, _NO_PATHS, does=returns({}, observed={}))
    return replace(case, provokes=(*ENVELOPE, "POL-10"))


_PARENTS = (
    "..",
    "../x.md",
    "a/../../x.md",
    "a/b/..",
    "./../x.md",
    "a/./../..",
    "a\\..\\..\\x.md",
    "..\\x.md",
    "a/..\\x.md",
)
_WIDE = ("．．/x.md", "a/．．/x.md", "‥/x.md", "a/․․/x.md")
_ABSOLUTE = ("/etc/passwd", "/", "//server/share", "\\\\server\\share", "C:\\x.md", "c:/x.md", "C:x.md")
_URIS = ("file:///etc/passwd", "https://example.invalid/x", "app://local/x.md", "FILE:///x", "file:/etc/passwd")
_DOTTED = ("a..b.md", "..hidden", "....md", "…", "x...md", "a/..b/c.md", ".hidden/.x", "v1..2/notes..md")
_OUTSIDE_ROOT = ("Notes2/x.md", "notes.md", "Note/x.md", "x/Notes/y.md", "Notes/../x.md", ".")
_ROOTS_SPELT_OTHERWISE: Object = {"enabled": True, "allowedRoots": ["/Notes/", "Caf\u00e9", "./Re\u0301sume\u0301//a"]}
_INSIDE_THOSE = ("Notes/x.md", "Cafe\u0301/x.md", "R\u00e9sum\u00e9/a/x.md")
_OUTSIDE_THOSE = ("Cafe/x.md", "Notesx/x.md", "R\u00e9sum\u00e9/x.md", "x.md")
_INSIDE_ROOT = ("Notes/x.md", "Notes/a/b.md", "Notes", "Notes/./x.md", "./Notes/x.md")
_PATTERNS = (
    *("Notes/private/x.md", "Notes/a/private", "Notes/x.key", "Notes/a.key/b", "Notes/ab.tmp", "Notes/a\U0001f600.tmp"),
    *("Notes/a/shut/x.md", "Notes/a//shut", "Notes/a/./shut/x.md", "Notes/cafe\u0301/x.md"),
    *("Notes/[x]1.md", "Notes/draft~.md", "Notes/na\u00efve/x.md"),
    "Notes/a b://x.md",  # no URI, and the normal form no longer contains what the pattern looks for
)
_NEAR_PATTERNS = (
    *(
        "Notes/privately/x.md",
        "Notes/my private/x.md",
        "Notes/x.keys",
        "Notes/key",
        "Notes/abc.tmp",
        "Notes/\U0001f600.tmp",
    ),
    *("Notes/a/not/shut", "Notes/cafe.md", "Notes/x1.md", "Notes/naive/x.md"),
)
_EVERY_MEMBER: tuple[Object, ...] = (
    {"fromPath": "../x.md"},
    {"toPath": "../x.md"},
    {"fromPath": "a.md", "toPath": "b/../../x.md"},
    {"paths": ["a.md", "../x.md"]},
    {"paths": ["a.md", "b.md", "c.md", "../x.md"]},
    {"options": {"path": "../x.md"}},
)
# Paths declared by reference, in branches and in the elements of an array; a pointer writes ~ and / as ~0 and ~1.
_ELSEWHERE: Object = {
    **closed(entry={"$ref": "#/$defs/a~0b~1c"}, listed={"type": "array", "items": {"$ref": "#/$defs/a~0b~1c"}}),
    "required": [],
    "$defs": {"a~b/c": {"anyOf": [{"type": "null"}, {"allOf": [{"oneOf": [_A_PATH, {"type": "integer"}]}]}]}},
}
_IN_EVERY_PLACE: tuple[Object, ...] = (
    {"entry": {"path": "../x.md"}},
    {"listed": [{"path": "a.md"}, {"path": "../x.md"}]},
)
# A prefix is a path only for vault.listFiles (A70).
_NO_PATHS: tuple[Object, ...] = (
    *({"text": "../x.md"}, {"frontmatter": {"path": "../x.md"}}, {"text": "file:///x"}),
    *({"prefix": "../x.md"}, {"prefix": "/x"}),
)


def _denied_tool() -> Case:
    case = _sandboxed("denied-tool", "A tool that the policy denies", [{}, {"path": "a.md"}], "POL-01", *_DENIED)
    return replace(case, policy=policy(denied=("witness.files",)))


def _denied_alias() -> Case:
    case = _denied_tool()
    files = case.tools[0]
    return replace(
        case,
        id="SC-14/denied-by-alias",
        says="The denied tool is called by its alias",
        plan=plan(step("s1", "w.files", {"path": "a.md"}), risk="writes"),
        tools=(replace(files, descriptor={**files.descriptor, "aliases": ["w.files"]}),),
        provokes=(*case.provokes, "VAL-06"),
    )


def _by_reference() -> Case:
    """The path is innocent in the plan, but leads out once it is resolved."""
    case = _sandboxed(
        "resolved", "The path leads out only once it is resolved", [], "POL-02", "POL-04", "POL-12", *_DENIED
    )
    source = hosted(
        "witness.source", returns({"up": "..", "path": "../x.md"}), takes=closed(), gives=closed(up=_PATH, path=_PATH)
    )
    paths = ("$steps.src.path", "Notes/{$steps.src.up}/{$steps.src.up}/x.md")
    steps = [step(f"s{n}", "witness.files", {"path": each}, onError="skip") for n, each in enumerate(paths)]
    return replace(
        case, plan=plan(step("src", "witness.source"), *steps), tools=(source, *case.tools), requires=("references",)
    )


def _third_item() -> Case:
    """Two items are innocent, the third leads out."""
    case = _by_reference()
    items: Json = {"items": ["Notes/a.md", "Notes/b.md", "../c.md", "Notes/d.md", "../e.md"]}
    source = hosted("witness.source", returns(items), takes=closed(), gives=closed(items={"type": "array"}))
    loop: Object = {"foreach": {"from": "$steps.src.items", "itemName": "each"}, "onError": "skip"}
    each = step("s", "witness.files", {"path": "{each}"}, preview="Touch each note")
    files = replace(case.tools[1], behaviour=script(returns({}, observed={})))
    return replace(
        case,
        id="SC-14/third-item",
        says="The third and the fifth item of a loop lead out",
        plan=plan(step("src", "witness.source"), {**each, **loop}, risk="writes"),
        tools=(source, files),
        requires=("references", "foreach"),
        provokes=(*case.provokes, "POL-13", "MSG-05"),
    )


def _declared_elsewhere() -> Case:
    """The schema does not declare the paths in their place, but in schemas that it refers to and is composed of."""
    case = _sandboxed(
        "declared-elsewhere",
        "Paths that the schema declares through $ref and in branches",
        _IN_EVERY_PLACE,
        *(*_DENIED, "POL-04"),
    )
    files = case.tools[0]
    return replace(case, tools=(replace(files, descriptor={**files.descriptor, "inputSchema": _ELSEWHERE}),))


def _effects_outside() -> Case:
    """No argument is a path, but what the tool did lies outside the allowed root."""
    wrote = writing(returns({}), "beside.md", "outside the root")
    case = _sandboxed(
        "effects-outside", "The tool changes a file outside the allowed root", [{"text": "x"}], does=wrote
    )
    return replace(
        case,
        policy=policy(sandbox=_SANDBOX),
        requires=("effects", "events"),
        provokes=(*ENVELOPE, "POL-15", "EFF-02", "EFF-08", "EFF-12"),
    )


def _system(name: str, says: str, tool: Object, *args: Object, aims: tuple[str, ...] = ()) -> Case:
    """The system's own tool over a root in which links lead out."""
    steps = [step(f"s{number}", str(tool["name"]), each, onError="skip") for number, each in enumerate(args, 1)]
    return Case(
        id=f"SC-14/{name}",
        says=says,
        plan=plan(*steps, risk="writes"),
        policy=policy(),
        system_tools=(tool,),
        folder=(
            Item("Notes/a.md", text="inside"),
            Item("Notes/out", ItemKind.LINK, "../../outside"),
            Item("leak.md", ItemKind.LINK, "../outside/secret.md"),
            Item("new.md", ItemKind.LINK, "../outside/not-there-yet.md"),
            Item("../outside/secret.md", text="not yours"),
        ),
        requires=("files",),
        provokes=(*TROUBLE, "POL-07", "POL-14", "EFF-08", *aims),
    )


def _own_tools() -> Case:
    """The policy holds for the system's own tools: two roots, one of them nested, and two denied tools."""
    wishes: tuple[tuple[Object, Object], ...] = (
        (CREATE_FILE, {"path": "Other/in.md", "content": "x"}),
        (CREATE_FILE, {"path": "Notes/sub/in.md", "content": "x"}),
        (CREATE_FILE, {"path": "Notes/out.md", "content": "x"}),
        (CREATE_FILE, {"path": "Other/private/x.md", "content": "x"}),
        (RENAME, {"fromPath": "Other/a.md", "toPath": "Notes/a.md"}),
        (RENAME, {"fromPath": "Notes/b.md", "toPath": "Other/b.md"}),
        (WRITE_FILE, {"path": "Other/a.md", "content": "x"}),
        (DELETE, {"path": "Other/a.md"}),
        (LIST_FILES, {"prefix": "Notes"}),
        (LIST_FILES, {"prefix": "Notes/sub"}),
    )
    steps = [step(f"s{n}", str(tool["name"]), args, onError="skip") for n, (tool, args) in enumerate(wishes)]
    sandbox: Object = {"enabled": True, "allowedRoots": ["Notes/sub", "Other"], "denyPatterns": ["..", "private"]}
    return Case(
        id="SC-14/own-tools",
        says="The system's own tools outside the roots, on paths that a pattern denies, and denied by name",
        plan=plan(*steps, risk="writes"),
        policy=policy(sandbox=sandbox, denied=("vault.writeFile", "vault.delete")),
        system_tools=(CREATE_FILE, RENAME, WRITE_FILE, DELETE, LIST_FILES),
        folder=(Item("Other/a.md", text="a"), Item("Notes/b.md", text="b"), Item("Notes/sub", ItemKind.FOLDER)),
        requires=("files",),
        provokes=(*_DENIED, "POL-01", "POL-03", "POL-09"),
    )


def _swapped() -> Case:
    """While a call waits for its turn after it was judged, its folder becomes a link that leads out."""
    case = _system("swapped", "A folder becomes a link after its path was checked", WRITE_FILE, aims=("POL-08",))
    swap = secretly(sleeper(200, {}), Write("Drop", "../outside", Stage.ANSWER, link=True))
    return replace(
        case,
        plan=plan(
            step("s1", "witness.swap"),
            step("s2", "vault.writeFile", {"path": "Drop/new.md", "content": "x"}, onError="skip"),
            risk="writes",
        ),
        tools=(hosted("witness.swap", swap, takes=closed(), gives=closed()),),
        folder=(Item("Drop", ItemKind.FOLDER), Item("../outside/secret.md", text="not yours")),
        requires=("files", "virtualClock"),
        provokes=("POL-08", "POL-14"),
        expectations={"swapped": "Drop"},
    )


_OUT: Json = "Notes/out/secret.md"

SCENARIO = Scenario(
    "SC-14",
    "Denied tools, escapes in every spelling, links that lead out, innocent names",
    (
        _denied_tool(),
        _denied_alias(),
        _denied("parents", "Parent segments in every spelling", _PARENTS, "POL-04", "POL-09"),
        _denied("wide-parents", "Characters that NFKC turns into parent segments", _WIDE, "POL-04"),
        _denied("absolute", "Absolute, drive and UNC paths", _ABSOLUTE, "POL-05"),
        _denied("uris", "Paths that are URIs", _URIS, "POL-06"),
        _denied("roots", "Neighbours of the allowed root", _OUTSIDE_ROOT, "POL-03", sandbox=_SANDBOX),
        _denied(
            "roots-spelt-otherwise",
            "Neighbours of roots with extra slashes and in either Unicode form",
            _OUTSIDE_THOSE,
            "POL-03",
            sandbox=_ROOTS_SPELT_OTHERWISE,
        ),
        _denied(
            "no-root",
            "The list of allowed roots is empty",
            ("x.md", "Notes/x.md"),
            sandbox={**_SANDBOX, "allowedRoots": []},
        ),
        _denied("patterns", "Paths that a pattern denies", _PATTERNS, "POL-09", sandbox=_SANDBOX),
        _sandboxed("members", "An escape in every member that is a path", _EVERY_MEMBER, *_DENIED, "POL-04"),
        _declared_elsewhere(),
        _no_paths(),
        _innocent("dotted", "Innocent names full of dots", _DOTTED, "POL-10"),
        _innocent("inside", "Paths inside the allowed root", _INSIDE_ROOT, "POL-03", sandbox=_SANDBOX),
        _innocent(
            "inside-roots-spelt-otherwise",
            "Paths inside roots with extra slashes and in either Unicode form",
            _INSIDE_THOSE,
            "POL-03",
            sandbox=_ROOTS_SPELT_OTHERWISE,
        ),
        _innocent("near-patterns", "Names that only resemble a pattern", _NEAR_PATTERNS, "POL-10", sandbox=_SANDBOX),
        _innocent(
            "switched-off",
            "The sandbox is switched off by the run's own policy",
            ("../x.md", "private/x.md"),
            "POL-21",
            sandbox={**_SANDBOX, "enabled": False},
        ),
        _by_reference(),
        _third_item(),
        _effects_outside(),
        _system("link-read", "Reading through links that lead out", READ_FILE, {"path": _OUT}, {"path": "leak.md"}),
        _system("link-list", "Listing a linked folder", LIST_FILES, {"prefix": "Notes/out"}, {"recursive": True}),
        _system(
            "link-write",
            "Writing through links that lead out",
            WRITE_FILE,
            *({"path": _OUT, "content": "x"}, {"path": "leak.md", "content": "x"}, {"path": "new.md", "content": "x"}),
        ),
        _system(
            "link-create",
            "Creating through links that lead out",
            CREATE_FILE,
            *({"path": "Notes/out/fresh.md", "content": "x"}, {"path": "new.md", "content": "x"}),
        ),
        _system(
            "link-rename",
            "Moving in and out through links",
            RENAME,
            *({"fromPath": "Notes/a.md", "toPath": "Notes/out/a.md"}, {"fromPath": _OUT, "toPath": "Notes/in.md"}),
        ),
        _swapped(),
        _own_tools(),
        _system("link-delete", "Deleting behind a link", DELETE, {"path": _OUT, "trash": False}),
    ),
)
