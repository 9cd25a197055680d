"""The tools of an MCP server that a command starts: asked over its standard streams, ended with its child processes.

Nothing that the server started keeps running afterwards.  Its standard error is shown when it
fails; lines on standard output that are not messages are skipped and mentioned.
"""

from __future__ import annotations

from collections.abc import Mapping

from callproof import limits
from callproof.adapters.address import Launch, read_address
from callproof.adapters.channel import Closed, TooLong
from callproof.adapters.deadlines import Deadlines, after, seconds_left
from callproof.adapters.errors import AdapterNotFound, BadAdapterName
from callproof.adapters.process import AdapterProcess
from callproof.adapters.wording import exit_text
from callproof.lint.sources.asking import list_tools
from callproof.lint.sources.child import start
from callproof.lint.sources.listing import Listing, NotListed, shown_command
from callproof.lint.sources.messages import METHOD_NOT_FOUND, Message, TooDeep, read_message, write_message
from callproof.values.jsontext import Json

# A command like npx may have to fetch the server first.
PATIENCE = Deadlines(start=120.0, answer=30.0, shutdown=1.0)
_MORE_TIME = "give a slow server more time with --timeout; what it writes and does not flush never arrives"
_EXCERPT = 100


def listed_over_stdio(command: str, deadlines: Deadlines = PATIENCE) -> Listing:
    """
    The list of tools of the server that a command line starts.

    Raises NotListed for a command that cannot be run, and for everything that the server gets wrong.
    """
    launch = _launch(command)
    with start(launch, shown_command(command), deadlines) as process:
        server = _Command(command, process, deadlines)
        pages = list_tools(server)
        process.finish(deadlines.shutdown)
    return Listing(pages, server.remarks())


def _launch(command: str) -> Launch:
    try:
        return read_address(f"stdio:{command}")
    except BadAdapterName as error:
        raise NotListed(f"`{command}`", error.reason, help_text='name a command, as in --stdio "npx server"') from None
    except AdapterNotFound as error:
        near = f"did you mean {error.nearest!r}?" if error.nearest else f"searched: {error.searched}"
        reason = f"{error.command!r} cannot be run: {error.reason}"
        raise NotListed(f"`{shown_command(command)}`", reason, help_text=near) from None


class _Command:
    """A server on the standard streams of a child."""

    def __init__(self, command: str, process: AdapterProcess, deadlines: Deadlines) -> None:
        self._command = shown_command(command)
        self.name = f"stdio:{self._command}"
        self._process = process
        self._deadlines = deadlines
        self._asked = 0
        self._noise: list[str] = []

    def ask(self, method: str, params: Mapping[str, Json]) -> Message:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        seconds = self._deadlines.start if self._asked == 1 else self._deadlines.answer
        until = after(seconds)
        for _ in range(limits.MESSAGES_IN_A_ROW):
            message = self._heard(method, seconds, until)
            if message is None:
                continue
            if message.method is None and message.id == self._asked:
                return message
            self._turn_down(message)
        raise self.refused(f"it sent {limits.MESSAGES_IN_A_ROW} lines and no answer to {method}")

    def tell(self, method: str, params: Mapping[str, Json]) -> None:
        self._send({"method": method, "params": params})

    def agree(self, revision: str | None) -> None:
        """On a pipe, no later message depends on the revision."""

    def refused(self, reason: str, help_text: str = "") -> NotListed:
        return NotListed(f"`{self._command}`", reason, help_text=help_text, noise=self._process.stderr())

    def remarks(self) -> tuple[str, ...]:
        """What was on standard output beside messages."""
        if not self._noise:
            return ()
        lines = "1 line" if len(self._noise) == 1 else f"{len(self._noise)} lines"
        return (f"{lines} on standard output of `{self._command}` are not JSON-RPC, the first: {self._noise[0]!r}",)

    def _heard(self, method: str, seconds: float, until: float) -> Message | None:
        line = self._process.take(seconds_left(until))
        if line is None:
            silent = f"it was silent: no answer to {method} within {seconds:g} s"
            raise self.refused(silent, self._noise_on_stdout() or _MORE_TIME)
        if isinstance(line, TooLong):
            raise self.refused(f"it wrote a line of more than {limits.FRAME_BYTES} bytes")
        if isinstance(line, Closed):
            self._process.settle(self._deadlines.shutdown)
            ended = exit_text(self._process.status)
            raise self.refused(f"it {ended} before it had answered {method}", self._noise_on_stdout())
        try:
            message = read_message(line)
        except TooDeep as error:
            raise self.refused(str(error)) from None
        if message is None and line.strip():
            self._noise.append(line[:_EXCERPT].decode("utf-8", "replace"))
        return message

    def _turn_down(self, message: Message) -> None:
        """Answer a request of the server: a ping with nothing, anything else with a refusal."""
        if message.method is None or not isinstance(message.id, str | int):
            return
        error: Json = {"code": METHOD_NOT_FOUND, "message": f"this client knows no method {message.method}"}
        self._send({"id": message.id, **({"result": {}} if message.method == "ping" else {"error": error})})

    def _noise_on_stdout(self) -> str:
        return f"standard output held {self._noise[0]!r}, which is not a message" if self._noise else ""

    def _send(self, message: Mapping[str, Json]) -> None:
        self._process.send(write_message(message) + b"\n")
