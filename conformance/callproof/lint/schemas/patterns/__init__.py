"""Patterns of schemas, read as ECMA-262 has them and made into automata.

Decides how long a backtracking engine may take over one.  No pattern is ever run.
"""

from __future__ import annotations
