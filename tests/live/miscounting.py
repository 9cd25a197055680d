"""The reference executor without most claims, which counts its attempts from 7."""

from __future__ import annotations

from typing import Any

from callproof_reference.wire import serve
from modest import Modest


class Miscounting(Modest):
    """A wire that adds six to the number of each attempt in a record."""

    def send(self, message: dict[str, Any]) -> None:
        """Change the number of an attempt, pass on everything else."""
        params = message.get("params")
        if message.get("method") == "record" and "attempt" in params["record"]:
            record = {**params["record"], "attempt": params["record"]["attempt"] + 6}
            message = {**message, "params": {**params, "record": record}}
        super().send(message)


if __name__ == "__main__":
    serve(Miscounting())
