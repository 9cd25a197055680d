"""The reference executor, claiming only the features that it is started with: a lawful system that promises little."""

from __future__ import annotations

import sys
from typing import Any

from callproof_reference.wire import Wire, serve


class Modest(Wire):
    """A wire on which the handshake's claims are cut down."""

    def send(self, message: dict[str, Any]) -> None:
        """Cut the claims, pass on everything else."""
        result = message.get("result")
        if isinstance(result, dict) and "claims" in result:
            result = {**result, "claims": {**result["claims"], "features": sys.argv[1:]}}
            message = {**message, "result": result}
        super().send(message)


if __name__ == "__main__":
    serve(Modest())
