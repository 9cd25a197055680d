"""
Whether texts beyond ASCII come back from a system as the suite sent them.

In many languages the locale decides the encoding of input and output, and CI machines often have no locale.  Text that
is lost this way is wrong in every record, and breaks dozens of laws, none of which names the cause.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.values.jsontext import Json
from callproof.values.leaves import texts_in

# This many texts, of up to this length, show as much as all of them.
_MOST_TEXTS = 1_000
_LONGEST = 200
# What is left of a shorter text may also be something else.
_SHORTEST = 3

_READS: Final = "it does not read its input in UTF-8"
_WRITES: Final = "it does not write its output in UTF-8"
_HELP: Final = "set the encoding in the system itself, because a locale may name another"


def _misread(text: str, encoding: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode(encoding, "replace")


def _units(text: str) -> str:
    """The text with a question mark for each unit of UTF-16 that ASCII does not have."""
    return "".join(sign if sign.isascii() else "?" * (1 + (ord(sign) > 0xFFFF)) for sign in text)


def _images(text: str) -> Iterator[tuple[str, str]]:
    """What a text may turn into, each with the cause, as a clause that continues *the system*."""
    misread = _misread(text, "ascii")
    yield _units(text), f"gives `?` for each character beyond ASCII: {_WRITES}"
    yield text.encode("ascii", "replace").decode(), f"gives `?` for each character beyond ASCII: {_WRITES}"
    yield misread, f"gives U+FFFD for each byte beyond ASCII: {_READS}"
    yield _units(misread), f"gives `?` for each byte beyond ASCII: {_READS}, and {_WRITES}"
    for encoding in ("latin-1", "cp1252"):
        yield _misread(text, encoding), f"gives several characters for each beyond ASCII: {_READS}"


class Encoding:
    """The texts beyond ASCII that the suite sent to a system, until the first of them comes back, whole or garbled."""

    def __init__(self) -> None:
        # How the first text that came back was garbled, as a clause that continues *the system*; empty if it was not.
        self.garbled = ""
        self._settled = False
        self._sent: set[str] = set()
        self._images: dict[str, str] = {}

    def send(self, message: Json) -> None:
        """Remember the texts of a message that the suite sends."""
        if self._settled or len(self._images) >= _MOST_TEXTS:
            return
        for text in texts_in(message):
            if len(text) > _LONGEST or text in self._sent:
                continue
            self._sent.add(text)
            if not text.isascii() and len(text) >= _SHORTEST:
                self._images.update({image: says for image, says in _images(text) if image.strip("?\ufffd")})

    def take(self, message: Json) -> None:
        """Search a message of the system: the first of the remembered texts beyond ASCII decides, whole or garbled."""
        if self._settled or not self._images:
            return
        for text in texts_in(message):
            if text in self._sent:
                self._settled |= not text.isascii()
            elif (says := self._images.get(text)) is not None:
                self._settled, self.garbled = True, f"{says}; {_HELP}"
            if self._settled:
                return
