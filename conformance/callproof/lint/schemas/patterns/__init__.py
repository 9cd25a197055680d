"""Patterns of schemas, read as ECMA-262 defines them and turned into automata.

The automata decide how long a backtracking engine may take over a pattern.  No pattern is ever run.

This is written here because no other library decides it for Python: the existing ones guess by
the look of a pattern, need a JavaScript engine, or may not be used freely.  The reader is our own
too: ``re`` reads another dialect through a private module, and RE2 does not give a tree.
"""

from __future__ import annotations
