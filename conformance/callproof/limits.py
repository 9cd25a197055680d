"""The limits on everything that comes from outside, in one place.

Over a limit is never *pass* and never a traceback: the verdict is inconclusive
and names the limit.  Bytes and counts, unless a name says otherwise.
"""

from __future__ import annotations

import errno

MIB = 1024 * 1024

# Reading records: a JSON Lines line, a file, one document.
LINE_BYTES = 16 * MIB
# One file of one run, which is held in memory as text while the run is judged.
RUN_FILE_BYTES = 256 * MIB
# One file of many runs, as text; it is streamed, so that it costs time and no memory.
LOG_FILE_BYTES = 1024 * 1024 * MIB
# What a compressed file may unpack to: so many bytes, and so many times its own size beyond.
UNPACKED_FREELY_BYTES = 16 * MIB
UNPACKED_RATIO = 250
# Runs in one log whose files many runs share, and the text that is held of those that are open at once.
RUNS_IN_SHARED_FILES = 2_000_000
OPEN_RUNS_BYTES = 1024 * MIB
NESTING = 128
DIGITS = 1_024
STRING_CHARACTERS = 8 * MIB
MEMBERS_PER_OBJECT = 65_536
# The text that references may put into one template; what is longer fits into no line.
RESOLVED_CHARACTERS = 16 * MIB

# Tool schemas, which are a stranger's programs.
SCHEMA_BYTES = MIB
SCHEMA_DEPTH = 64
SCHEMA_NODES = 50_000
SCHEMA_REFERENCE_EXPANSIONS = 10_000
# References inside what references lead to: validators follow them on the stack of the process, and it ends with it.
SCHEMA_REFERENCE_DEPTH = 128
PATTERN_CHARACTERS = 1_000

# Documents that hold tool definitions, and the definitions and schemas in one run of the linter.
LINT_DOCUMENT_BYTES = 64 * MIB
LINT_YAML_BYTES = 4 * MIB
LINT_YAML_NODES = 500_000
LINT_TOOLS = 100_000
LINT_FILES = 10_000
# The folders below each other that are looked into.
LINT_FOLDERS = 100

# Reports.
FINDINGS_SHOWN_PER_REQUIREMENT = 1_000
# Of what the reader met in one run, which may have stumbled over each of a million lines.
NOTES_OF_A_RUN = 100
EXCERPT_CHARACTERS = 200
BASELINE_BYTES = 4 * MIB
REPORT_BYTES = 256 * MIB
STATEMENT_BYTES = 1024 * MIB
TESTIMONY_ROWS = 200
# A story of a run, which is for one person to read, and the names among which the nearest to a wrong one is looked for.
STORY_LINES = 400
STORY_BARS = 100
STORY_SOURCES = 5
NAMES_SOUGHT = 10_000
# The processes of one audit: more than any machine has processors for, and as many as the system can count.
PROCESSES = 1_000

# Runs of an audit that are drawn: the first with findings, and later ones that show something new.
TIMELINES_AT_FIRST = 50
TIMELINES = 200
TIMELINE_CALLS = 200
TIMELINE_MOMENTS = 400
# Names of tools and versions that are counted by name, and the longest that is one.
NAMES_COUNTED = 1_000
NAME_CHARACTERS = 128
TESTIMONY_CHARACTERS = 120

# Conversations with a system under test.
FRAME_BYTES = 16 * MIB
ANSWER_SECONDS = 30.0
# How long the end of a case of another protocol is waited for while nothing happens, unless told otherwise.
PATIENCE_SECONDS = 5.0
# The most that --timeout may say.
TIMEOUT_SECONDS = 3_600.0
START_SECONDS = 30.0
SHUTDOWN_SECONDS = 5.0
TERM_GRACE_SECONDS = 2.0
# How long anything is waited for at a stretch.  A Ctrl-C that comes when Python has begun to wait and its thread does
# not sleep yet, or that reaches another thread, does not end the wait; it is heard after it.
DEAF_SECONDS = 0.25
# Messages to none of which the suite said anything are a flood: a loop over ten thousand
# items that are all refused makes forty thousand.
MESSAGES_IN_A_ROW = 100_000
STDERR_KEPT_AT_EACH_END = 64 * 1024
PATH_BYTES = 4_096

# How the machine says that this process, or all of them, may open no file more.
NO_MORE_FILES = frozenset({errno.EMFILE, errno.ENFILE})

# With less room than this left where a run wrote, what is missing there tells nothing of the system.
ROOM_BYTES = MIB

# Case files, which come from strangers.
CASE_FILE_BYTES = 4 * MIB
CASE_ITEMS = 1_000
CASE_COMPANY = 10
# Names in one path of a case: whoever removes a folder goes down into it, and some do so on their stack.
CASE_PATH_NAMES = 100
# The largest number in a case; milliseconds for the most part, and a day is longer than any case waits.
CASE_NUMBER = 86_400_000
# Cases of one seed; a million would be a day and more.
GENERATED_CASES = 1_000_000
# The same of the live suites beside the executor's, whose systems are played against one case after the other.
GENERATED_SYSTEM_CASES = 100_000
SEED = 2**63 - 1

# Lists of tools asked of a running server.
LISTING_PAGES = 200
LISTING_CHARACTERS = 64 * MIB
