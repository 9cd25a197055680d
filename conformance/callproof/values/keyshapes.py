"""What keys of well-known services look like, to recognise one anywhere: in a log, or in a definition."""

from __future__ import annotations

import re

# With digits and capitals, as random keys have them: a note may be called `sk-preklad-zmluvy-o-najme.md`.
_RANDOM = r"(?=[\w-]{0,400}\d)(?=[\w-]{0,400}[A-Z])[\w-]"

KEYS = re.compile(
    r"\b(?:AKIA[0-9A-Z]{16}\b|ASIA(?=[A-Z]{0,15}\d)[0-9A-Z]{16}\b|AIza[\w-]{35}|gh[pousr]_[A-Za-z0-9]{36}\b|github_pat_\w{60}|glpat-[\w-]{20}"
    rf"|npm_[A-Za-z0-9]{{36}}\b|sk-(?:(?:proj|svcacct|admin|ant)-{_RANDOM}{{24}}|(?=[a-zA-Z]{{0,99}}\d)[A-Za-z0-9]{{32}})"
    r"|xox[abprs]-\d[\w-]{20}|eyJ[\w-]{10,999}\.eyJ[\w-]{10,999}\.[\w-]{10})|-----BEGIN [A-Z ]*PRIVATE KEY-----",
    re.ASCII,
)
# Each of these keys contains one of these texts, which are found much faster than the whole shape.
SIGNS = ("AKIA", "ASIA", "AIza", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "sk-", "xox",
         "eyJ", "-----BEGIN")  # fmt: skip
