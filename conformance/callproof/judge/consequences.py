"""What follows from what: which broken law makes which others fail, and how to tell that it is the same fault.

This is only data.  A row says that a finding of one of its ``laws`` is no news if there is a finding of one of its
``roots`` that shares something with it.  The first row that fits decides, so rows that explain more stand first.
If you add a row, keep the table free of circles, and ask whether an independent fault can look like a consequence.
"""

from __future__ import annotations

from callproof.judge.argument_consequences import ARGUMENT_ROWS
from callproof.judge.event_consequences import EVENT_ROWS
from callproof.judge.misspelt_consequences import MISSPELT
from callproof.judge.result_consequences import RESULT_ROWS
from callproof.judge.sharing import Consequence

CONSEQUENCES: tuple[Consequence, ...] = (*MISSPELT, *ARGUMENT_ROWS, *RESULT_ROWS, *EVENT_ROWS)
