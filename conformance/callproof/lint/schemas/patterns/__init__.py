"""Patterns of schemas, read as ECMA-262 has them and made into automata.

Decides how long a backtracking engine may take over one.  No pattern is ever run.

Written here because nobody else decides it for Python: what there is guesses by the look
of a pattern, needs a JavaScript engine, or may not be used freely.  The reader is ours as
well: ``re`` reads another dialect through a private module, and RE2 gives no tree away.
"""

from __future__ import annotations
