"""The one list of what must pass, here and in CI."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
REFERENCE = "stdio:callproof-reference stdio"
# A floor, not a goal: no test shows that an unreached line works.
COVERAGE_FLOOR = "97"

# Three workers more than processors, since many tests wait for processes.  A worker begins with the tests of a few
# files, which share fixtures.  One without tests takes some from another; otherwise all would wait for the slowest.
PARALLEL = ["-n", str(min((os.cpu_count() or 1) + 3, 8)), "--dist", "worksteal"]

# Tests that drive executors wait for them half of the time, so one worker more than processors finds room.  Some take
# ten times as long as others: one at a time is given out, otherwise a worker would be left with several of them.
DRIVING = ["-n", str(min((os.cpu_count() or 1) + 1, 8)), "--maxschedchunk", "1"]

# Tests of agent loops and of systems of other protocols spend nearly all of their time waiting for what never comes.
PLAYING = ["-n", str(min((os.cpu_count() or 1) * 5, 15))]

# The tests that other sessions run: matrix, played, examples, http, browser, table, docs.
ELSEWHERE = ["miniatures", "live_loops", "live_pipelines", "live_invocations", "examples", "http", "browser", "table"]
ELSEWHERE += ["cluster", "spark", "live_servers", "real_loops", "test_documents.py", "test_spec_examples.py"]

# The tests in which the suite meets the libraries that it is built on.
MEETING_LIBRARIES = ["auditlog", "commands", "lint/forms", "lint/sources", "models", "plugin"]
MEETING_LIBRARIES += ["report", "schema", "statement"]
# Tests about processes, time and systems meet none of them, or only those that others of these tests meet as well.
MEETING_NONE = ["commands/test_interrupts.py", "commands/test_loop.py", "commands/test_other_systems.py"]
MEETING_NONE += ["commands/test_show_of_broken_logs.py", "commands/test_streams.py", "plugin/test_known_failures.py"]
MEETING_NONE += ["plugin/test_loops.py", "plugin/test_loops_shared_out.py", "plugin/test_shared_out.py"]
MEETING_NONE += ["statement/test_driven_statements.py", "statement/test_runs_and_their_statements.py"]

# Tests start hundreds of processes.  If no bytecode may be written, each of them first compiles the whole suite.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The first release that runs sessions in parallel: `nox -j 3`, as CI does.
nox.needs_version = ">=2026.8.10"
# With uv installed, as in CI, an environment takes two seconds instead of thirty.
nox.options.default_venv_backend = "uv|venv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.error_on_external_run = True
# Sessions that stand beside each other come first, in this order: the long ones early, so that none is left alone.
nox.options.sessions = [
    "lint",
    "imports",
    "drift",
    "played",
    "types",
    "docs",
    "matrix",
    "examples",
    "lowest",
    "self",
    "http",
    "browser",
    "table",
    "cluster",
    "package",
    "tests",
]


def install(session: nox.Session, *groups: str) -> None:
    """Install the project as it is checked out, and the packages of its dependency groups."""
    session.install("-e", str(ROOT), *nox.project.dependency_groups(PYPROJECT, *groups))


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The suite's own tests, in parallel; `coverage` measures them, which takes as long again."""
    install(session, "tests")
    session.run("pytest", "-q", *ours(session))


@nox.session(python=PYTHONS[0], default=False)
def coverage(session: nox.Session) -> None:
    """Branch coverage by these tests, but for those marked ``many``, and all processes that they start; its floor."""
    install(session, "tests")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", "-q", "-m", "not many", *ours(session))
    session.run("coverage", "combine", "--quiet")
    session.run("coverage", "report", f"--fail-under={COVERAGE_FLOOR}")


def ours(session: nox.Session) -> list[str]:
    """Which tests the session `tests` runs, and how."""
    return [*(f"--ignore=tests/{each}" for each in ELSEWHERE), *PARALLEL, *session.posargs]


@nox.session(python=PYTHONS[0], allow_parallel=True)
def lowest(session: nox.Session) -> None:
    """The oldest permitted releases of libraries, with the tests in which commands, reports and others meet them."""
    asked = [*PYPROJECT["project"]["dependencies"], *nox.project.dependency_groups(PYPROJECT, "tests")]
    session.install("-e", str(ROOT), *(re.sub(r">=([^,;]+)[^;]*", r"==\1", each) for each in asked))
    met = [*(f"tests/{each}" for each in MEETING_LIBRARIES), *(f"--ignore=tests/{each}" for each in MEETING_NONE)]
    session.run("pytest", "-q", *PARALLEL, *(session.posargs or met))


@nox.session(python=PYTHONS[0], default=False)
def explore(session: nox.Session) -> None:
    """The property tests with other examples each time, only in this session; `--hypothesis-seed` repeats some."""
    install(session, "tests")
    session.run("pytest", "-q", "-m", "hypothesis", *ours(session), env={"EXPLORE": "1"})


@nox.session(allow_parallel=True)
def matrix(session: nox.Session) -> None:
    """Every broken executor through the real suite: caught by its own requirement, and by no other."""
    install(session, "tests")
    session.run("pytest", "-q", "tests/miniatures", *DRIVING, *session.posargs)


@nox.session(allow_parallel=True)
def played(session: nox.Session) -> None:
    """The same for agent loops, pipelines and systems under the invocation contract; in parallel, since it waits."""
    install(session, "tests")
    live = ("tests/live_loops", "tests/live_pipelines", "tests/live_invocations")
    session.run("pytest", "-q", *live, *PLAYING, *session.posargs)


@nox.session(allow_parallel=True)
def lint(session: nox.Session) -> None:
    """Style and likely mistakes."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(allow_parallel=True)
def types(session: nox.Session) -> None:
    """mypy and pyright, both strict, over the suite, the reference, an adapter author's code and examples in Python."""
    install(session, "types")
    session.run("mypy")
    for example in sorted((ROOT / "examples").glob("*-python")):  # one by one: each has its own adapter.py
        session.run("mypy", str(example))
    session.run("pyright")


@nox.session(allow_parallel=True)
def imports(session: nox.Session) -> None:
    """The arrows between the rooms."""
    install(session, "imports")
    session.run("lint-imports")


@nox.session
def generate(session: nox.Session) -> None:
    """Write ``schemas/`` and the matrix from the specification; with ``-- --check`` only compare."""
    install(session)
    session.run("python", "-m", "callproof.schema.generate", *session.posargs)
    session.run("python", "tests/miniatures/publish.py", *session.posargs)


@nox.session(allow_parallel=True)
def drift(session: nox.Session) -> None:
    """What is generated is what the specification says: ``generate -- --check``, as part of every run."""
    install(session)
    session.run("python", "-m", "callproof.schema.generate", "--check")
    session.run("python", "tests/miniatures/publish.py", "--check")


@nox.session
def pictures(session: nox.Session) -> None:
    """Draw the pictures of the README again, from real runs; with ``-- --check`` only compare."""
    install(session)
    session.run("python", "docs/pictures.py", *session.posargs)


@nox.session(allow_parallel=True)
def docs(session: nox.Session) -> None:
    """README and specification: commands and examples are run, links followed, pictures compared."""
    install(session, "tests")
    session.run("pytest", "-q", "tests/test_documents.py", "tests/test_spec_examples.py", *PARALLEL[:2])
    session.run("python", "docs/pictures.py", "--check")


@nox.session(allow_parallel=True)
def examples(session: nox.Session) -> None:
    """The executors and adapters under ``examples/``, by the commands of their READMEs; most of them need Node."""
    posargs = [each for each in session.posargs if each != "--without-node"]
    if shutil.which("node") is None and posargs == session.posargs:
        session.error("node is not on the PATH; `nox -s examples -- --without-node` leaves out what needs it")
    install(session, "tests")
    session.run("pytest", "-q", "tests/examples", *posargs)


@nox.session(allow_parallel=True)
def http(session: nox.Session) -> None:
    """Schemathesis tests the example behind HTTP by the OpenAPI description of the binding; finds planted defects."""
    install(session, "http")
    session.run("pytest", "-q", "tests/http", *PARALLEL[:2], *session.posargs)


@nox.session(allow_parallel=True)
def browser(session: nox.Session) -> None:
    """The page of a report in headless Chromium, in both schemes."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        session.error("there is no Chromium; `apt-get install chromium` brings one")
    install(session, "browser")
    session.run("pytest", "-q", "tests/browser", *session.posargs)


@nox.session(allow_parallel=True)
def table(session: nox.Session) -> None:
    """The table of an audit, with the extra that writes it and the programs that read it."""
    install(session, "table")
    session.run("pytest", "-q", "tests/table", *session.posargs)


@nox.session(allow_parallel=True)
def cluster(session: nox.Session) -> None:
    """An audit on a real cluster of two workers, one of which is killed, with the extra `callproof[dask]`."""
    session.install("-e", f"{ROOT}[dask]", *nox.project.dependency_groups(PYPROJECT, "tests"))
    session.run("pytest", "-q", "tests/cluster", *session.posargs)


@nox.session(default=False)
def servers(session: nox.Session) -> None:
    """MCP servers and frameworks from the package registries, linted: needs a network, Node, and some minutes."""
    install(session, "tests")
    session.run("pytest", "-q", "-rs", "tests/live_servers", *session.posargs)


@nox.session(default=False)
def spark(session: nox.Session) -> None:
    """The recipe for Spark on a Spark of this machine; it needs Java and installs most of a gigabyte."""
    if shutil.which("java") is None:
        session.error("there is no Java on the PATH; `apt-get install default-jre-headless` brings one")
    session.install("-e", str(ROOT), "pyspark", "pandas", "pyarrow", *nox.project.dependency_groups(PYPROJECT, "tests"))
    session.run("pytest", "-q", "tests/spark", *session.posargs)


@nox.session(default=False)
def loop_pi(session: nox.Session) -> None:
    """The agent loop of pi, in two releases, by the adapter of `examples/loop-pi`: needs a network and Node."""
    loop_of_node(session, "pi")


@nox.session(default=False)
def loop_ai_sdk(session: nox.Session) -> None:
    """The agent of the AI SDK, in its two ways, by the adapter of `examples/loop-ai-sdk`: needs a network and Node."""
    loop_of_node(session, "ai_sdk")


def loop_of_node(session: nox.Session, name: str) -> None:
    """Install an example in its own folder, and judge the loop in it."""
    if shutil.which("npm") is None:
        session.error("there is no npm on the PATH; it comes with Node")
    install(session, "tests")
    folder = Path(session.create_tmp())
    shutil.copytree(ROOT / "examples" / f"loop-{name.replace('_', '-')}", folder, dirs_exist_ok=True)
    npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
    session.run(*npm, "--prefix", str(folder), external=True)
    env = {f"LOOP_{name.upper()}": str(folder)}
    session.run("pytest", "-q", f"tests/real_loops/test_{name}.py", *session.posargs, env=env)


@nox.session(python=PYTHONS[0], default=False)
def loop_langchain(session: nox.Session) -> None:
    """The agent of LangChain, by the adapter of `examples/loop-langchain`: needs a network."""
    judge_a_loop(session, "loop-langchain")


@nox.session(python=PYTHONS[0], default=False)
def loop_openai_agents(session: nox.Session) -> None:
    """The runner of the OpenAI Agents SDK, by the adapter of `examples/loop-openai-agents`: needs a network."""
    judge_a_loop(session, "loop-openai-agents")


@nox.session(python=PYTHONS[0], default=False)
def loop_pydantic_ai(session: nox.Session) -> None:
    """The agent of pydantic-ai, by the adapter of `examples/loop-pydantic-ai`: needs a network."""
    judge_a_loop(session, "loop-pydantic-ai")


@nox.session(python=PYTHONS[0], default=False)
def loop_strands(session: nox.Session) -> None:
    """The agent of Strands Agents, by the adapter of `examples/loop-strands`: needs a network."""
    judge_a_loop(session, "loop-strands")


def judge_a_loop(session: nox.Session, example: str) -> None:
    """Judge an agent loop in Python, in the release that its example pins."""
    install(session, "tests")
    session.install("-r", f"examples/{example}/requirements.txt")
    session.run("pytest", "-q", "tests/real_loops/test_python.py", *session.posargs, env={"LOOP_PYTHON": example})


@nox.session(default=False)
def audit_benchmark(session: nox.Session) -> None:
    """How fast captured logs are audited, beside decoders and validators: `nox -s audit_benchmark -- LOG`."""
    install(session, "tests")
    session.install("orjson")
    session.run("python", "tests/benchmarks/audit.py", *session.posargs)


@nox.session(default=False)
def lint_benchmark(session: nox.Session) -> None:
    """How fast tools are linted, beside two linters from the PATH: `nox -s lint_benchmark -- CORPORA`."""
    install(session, "tests")
    session.run("python", "tests/benchmarks/lint.py", *session.posargs)


@nox.session(name="self", allow_parallel=True)
def against_the_reference(session: nox.Session) -> None:
    """The plugin against the reference executor, in two processes; `docs` runs the README's command on it."""
    install(session, "tests")
    session.chdir(session.create_tmp())
    session.run("pytest", "-q", "--callproof", REFERENCE, "-n", "2", "--no-header", "--tb=short")


@nox.session(default=False)
def stability(session: nox.Session) -> None:
    """Many rounds of the suite against the reference on real time: one verdict, `nox -s stability -- 100`."""
    install(session, "tests")
    session.run("python", "tests/stability.py", *(session.posargs or ("10",)))


@nox.session(default=False)
def benchmarks(session: nox.Session) -> None:
    """How long the suite takes, as ratios in one run: `nox -s benchmarks -- 5` for five rounds."""
    install(session, "tests")
    session.run("python", "tests/benchmarks/suite.py", *session.posargs)


@nox.session(python=PYTHONS[0], default=False)
def fuzz(session: nox.Session) -> None:
    """Fuzz reader, checks, resolver and report, guided by coverage: `nox -s fuzz -- 600` for ten minutes each."""
    install(session, "tests", "fuzz")
    found = Path(session.create_tmp()) / "found"
    for target in ("log", "reader", "resolver", "report"):
        seconds = f"-max_total_time={(session.posargs or ('60',))[0]}"
        session.run("python", "tests/fuzz/run.py", target, "--found", str(found), seconds)
    if found.is_dir():
        session.error(f"promises were broken; {found} holds an input of each kind, for tests/fuzz/found")


@nox.session(venv_backend="venv", allow_parallel=True)
def package(session: nox.Session) -> None:
    """Install what is published as a user would, and use it from elsewhere; other sessions install the checkout."""
    tmp = Path(session.create_tmp())
    shutil.rmtree(tmp)
    tmp.mkdir()
    session.install("build")
    # It builds the wheel from the source distribution, so that a wheel with everything shows that this has it, too.
    session.run("python", "-m", "build", "--outdir", str(tmp), str(ROOT), silent=True)
    (wheel,), (_,) = tmp.glob("*.whl"), tmp.glob("*.tar.gz")
    session.install(str(wheel))
    session.chdir(tmp)
    look = (
        "import callproof_reference, callproof.spec.registry as spec, callproof.schema.validator as schema;"
        "assert len(spec.specification().requirements) > 250;"
        "schema.shape_validator('report'); schema.shape_validator('adapter/record')"
    )
    session.run("python", "-I", "-c", look)
    session.run("callproof", "test", REFERENCE, "-k", "SC-01", "--report", "page.html")
    session.run("callproof", "init", "adapter-node")  # which copies its schemas too
    session.run("callproof", "init", "adapter-python")
    session.run("callproof", "test", "stdio:python adapter-python/adapter.py", "-k", "CALL-21", "--cases", "0")
