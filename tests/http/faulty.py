"""``python faulty.py DEFECT``: the example's server with one defect, or with no defect if DEFECT is ``sound``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "examples" / "adapter-http"), str(Path(__file__).parent)]

import serve  # noqa: E402  the example, from its folder

_REPLY, _OBJECT = serve.Handler._reply, serve._object


def takes_what_is_no_object() -> None:
    """A list, a number or a text is accepted like a message."""
    serve._object = lambda body: _OBJECT(body) or {}


def does_not_say_what_it_allows() -> None:
    """The answer 405 has no Allow header."""
    serve.Handler._reply = lambda self, status, **headers: _REPLY(
        self, status, **{name: value for name, value in headers.items() if name != "Allow"}
    )


def knows_one_method_too_many() -> None:
    """PUT works like POST."""
    original = serve.Handler._answer

    def answer(self: Any) -> None:
        self.command = "POST" if self.command == "PUT" else self.command
        original(self)

    serve.Handler._answer = answer


def takes_after_the_stop() -> None:
    """A conversation goes on after it was stopped."""
    serve.Handler._stop = lambda self, conversation, body: self._reply(204)


def names_no_conversation() -> None:
    """The answer 201 has no Location header."""
    serve.Handler._reply = lambda self, status, **headers: _REPLY(self, status)


def breaks_at_an_error() -> None:
    """A message that holds an error is answered with 500."""
    original = serve.Handler._take

    def take(self: Any, conversation: Any, body: bytes | None) -> None:
        if body is not None and b'"error"' in body:
            self._reply(500)
        else:
            original(self, conversation, body)

    serve.Handler._take = take


def answers_by_another_status() -> None:
    """A message that was accepted is answered with 200."""
    serve.Handler._reply = lambda self, status, **headers: _REPLY(self, 200 if status == 202 else status, **headers)


if __name__ == "__main__":
    globals().get(sys.argv[1], lambda: None)()
    sys.argv[1:] = ["quiet:serve"]
    serve.main()
