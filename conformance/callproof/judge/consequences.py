"""What follows from what: which broken law takes which others with it, and how one knows that it is the same fault.

Data, and nothing else.  A row says that a finding of one of its ``laws`` is no news where a finding of one of its
``roots`` is known that shares something with it.  The first row that fits decides, so what explains more stands first.
Whoever adds a row keeps the table free of circles, and asks whether a fault of its own can look like what follows.
"""

from __future__ import annotations

from callproof.judge.argument_consequences import ARGUMENT_ROWS
from callproof.judge.event_consequences import EVENT_ROWS
from callproof.judge.misspelt_consequences import MISSPELT
from callproof.judge.result_consequences import RESULT_ROWS
from callproof.judge.sharing import Consequence

CONSEQUENCES: tuple[Consequence, ...] = (*MISSPELT, *ARGUMENT_ROWS, *RESULT_ROWS, *EVENT_ROWS)
