"""SEC: what a definition hides from its reader, or gives away.

Words alone decide nothing: rules that judge by words are heuristic, and give a warning at most.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from callproof.lint import declared
from callproof.lint.definition import Definition, Schema
from callproof.lint.names import words
from callproof.lint.rule import Fault, definitions, inputs, rule
from callproof.lint.texts import Text, texts, together
from callproof.lint.unseen import called, may_hide, unseen
from callproof.lint.wording import listed, shown
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.keyshapes import KEYS

_STANDS_IN = re.compile(r"example|sample|placeholder|xxxx|your|dummy|test|0000|1234567890", re.IGNORECASE)
_FEWEST_CHARACTERS = 8
_SECRETS = frozenset({"password", "passwd", "passphrase", "secret", "apikey", "accesskey", "privatekey", "credential"})
_TOKENS = frozenset({"access", "api", "auth", "bearer", "refresh", "session", "oauth", "github", "slack", "bot"})
# The last word of a name that identifies a secret but is not one: secretName, credentialId.
_WHICH = frozenset({"arn", "id", "name", "ref"})
_COMMANDS = frozenset({"command", "cmd", "shell", "sql", "script"})
_BOUNDS = frozenset({"const", "enum", "format", "maxLength", "pattern"})
# What bounds a value of any kind, in addition to the keyword of its own kind.
_OTHER_BOUNDS = frozenset({"const", "enum", "format"})
_SAFE_ICONS = ("https:", "data:")


@rule("SEC002", each=definitions)
def no_text_contains_invisible_characters(tool: Definition) -> Iterator[Fault]:
    """No text of a definition has characters that a reader does not see."""
    for text in texts(tool) if may_hide(together(tool)) else ():
        found = [*unseen(text.text)]
        if found:
            # One finding for each text: a hidden message has a character for each of its letters.
            at = found[0]
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            yield Fault(
                at=text.at,
                observed=f"{_place(text)} has {called(text.text[at])} at character {at + 1}{more}",
                permitted="visible characters, and the joiners and selectors that a script or picture needs",
                help="remove them; a model reads what they spell",
            )


@rule("SEC003", each=definitions)
def a_name_contains_no_look_alike_letters(tool: Definition) -> Iterator[Fault]:
    """The names of tools and parameters are not written with letters that look like others."""
    named = [Text(tool.at("name"), tool.name)]
    if tool.input is not None:
        root = tool.input.resolved
        named += [Text((*root.pointer, "properties", name), name) for name in root.properties]
    for text in named:
        alike = _look_alikes(text.text)
        if alike:
            what = "the name" if text.at == tool.at("name") else f"the parameter {shown(text.text)}"
            yield Fault(
                at=text.at,
                observed=f"{what} has {listed(alike)}",
                permitted="letters of one script in a name, in their plain form",
                help="type the name again, in plain letters of one script",
            )


@rule("SEC005", each=definitions)
def a_definition_contains_no_credentials(tool: Definition) -> Iterator[Fault]:
    """No text of a definition has the shape of a key of a well-known service."""
    for text in texts(tool) if KEYS.search(together(tool)) else ():
        for found in KEYS.finditer(text.text):
            if not _stands_in(found[0]):
                yield Fault(
                    at=text.at,
                    observed=f"{_place(text)} holds what looks like a key: {found[0][:8]}…",
                    permitted="no credentials in a definition, which every client and model reads",
                    help="revoke the key; in an example, write YOUR_KEY",
                )


@rule("SEC006", each=inputs)
def a_parameter_asks_for_no_secret(schema: Schema) -> Iterator[Fault]:
    """No parameter is a text whose name is that of a secret."""
    root = schema.resolved
    for name, each in root.properties.items():
        if _names_a_secret(name, each) and "string" in declared.named_types(each):
            yield Fault(
                at=(*root.within, "properties", name),
                observed=f"the parameter {shown(name)} asks the model for a secret",
                permitted="no secret among the parameters",
                help="let the server read it from its environment: arguments are seen by the model, and logged",
            )


@rule("SEC007", each=inputs)
def a_parameter_for_a_command_is_bounded(schema: Schema) -> Iterator[Fault]:
    """A parameter that is a command or a query has some bound."""
    root = schema.resolved
    for name, each in root.properties.items():
        if _is_command(name) and declared.is_text(each) and not _is_bounded(each):
            yield Fault(
                at=(*root.within, "properties", name),
                observed=f"the parameter {shown(name)} takes any string",
                permitted="an enum, a pattern, or at least a maxLength",
                help="offer the few commands that are needed as an enum, or as separate tools",
            )


@rule("SEC008", each=inputs)
def every_value_has_an_upper_bound(schema: Schema) -> Iterator[Fault]:
    """Texts, arrays and numbers of an input have an upper bound."""
    bounds = {"string": "maxLength", "array": "maxItems", "integer": "maximum", "number": "maximum"}
    for each in schema.inside():
        open_to = {bounds[kind]: kind for kind in reversed(each.types) if kind in bounds and not each.has(bounds[kind])}
        for bound, kind in open_to.items() if not _OTHER_BOUNDS & each.members.keys() else ():
            if bound == "maximum" and each.has("exclusiveMaximum"):
                continue
            yield Fault(
                at=each.within,
                observed=f"the {kind} has no {bound}",
                permitted=f"a {bound}",
                help=f"add the largest {bound} that makes sense",
            )


@rule("SEC009", each=definitions)
def a_read_only_tool_is_not_marked_as_destructive(tool: Definition) -> Iterator[Fault]:
    """A tool is not hinted to be read-only and destructive at once."""
    hints = tool.get("annotations")
    if is_object(hints) and hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
        yield Fault(
            at=tool.at("annotations", "destructiveHint"),
            observed="readOnlyHint and destructiveHint are both true",
            permitted="one of them: destructiveHint has a meaning only if readOnlyHint is false",
            help="leave out the wrong one",
        )


@rule("SEC010", each=definitions)
def the_address_of_an_icon_begins_with_https_or_data(tool: Definition) -> Iterator[Fault]:
    """Icons are at https addresses, or inside the definition."""
    icons = tool.get("icons")
    for place, icon in enumerate(icons if is_array(icons) else ()):
        source = icon.get("src") if is_object(icon) else None
        if isinstance(source, str) and not source.lower().startswith(_SAFE_ICONS):
            yield Fault(
                at=tool.at("icons", place, "src"),
                observed=f"the icon is at {shown(source)}",
                permitted=" or ".join(_SAFE_ICONS),
                help="serve it over https; clients refuse other schemes",
            )


def _place(text: Text) -> str:
    if text.is_name:
        return "the name of a member"
    return shown(text.at[-1]) if text.at else "the text"


def _look_alikes(name: str) -> tuple[str, ...]:
    """The odd letters of a name: those of another script than Latin beside Latin ones, and fancy forms."""
    if name.isascii():
        return ()
    scripts = {each: unicodedata.name(each, "").partition(" ")[0] for each in name if each.isalpha()}
    fancy = [each for each in name if not each.isascii() and unicodedata.normalize("NFKC", each).isascii()]
    mixed = [each for each, script in scripts.items() if script in {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}]
    found = [*fancy, *(mixed if "LATIN" in scripts.values() else ())]
    return tuple(f"U+{ord(each):04X} {unicodedata.name(each, '')}" for each in dict.fromkeys(found))


def _stands_in(key: str) -> bool:
    """Whether a text in the shape of a key is clearly not one: it says so, or repeats a few characters."""
    if key.startswith("-----"):
        return False
    return bool(_STANDS_IN.search(key)) or len({*key}) < _FEWEST_CHARACTERS


def _is_command(name: str) -> bool:
    told = words(name)
    return told[:1] != ("filter",) and ("sql" in told or bool(_COMMANDS & {*told[-1:]}))


def _is_bounded(schema: Schema) -> bool:
    return any(_BOUNDS & part.members.keys() for part in declared.everywhere(schema))


def _names_a_secret(name: str, schema: Schema) -> bool:
    told = words(name)
    if _WHICH & {*told[-1:]}:
        return False
    if any("".join(told).endswith(each) or each in told for each in _SECRETS):
        return True
    # Many tokens are no secret: those of pages, languages, contracts.  For a secret one, the words beside it say so.
    if told[-1:] != ("token",):
        return False
    said = words(declared.description(schema)) if len(told) == 1 else told[:-1]
    return bool(_TOKENS & {*said})
