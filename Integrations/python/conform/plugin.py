"""The plugin of pytest: each case of `--conform SUITES` is a test item.

The selected cases are judged by one process of conform for the whole session, also if pytest-xdist
distributes the items. It is started by the first item that needs a verdict; each item waits for its
own case to end, which the journal of the run tells.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Dict, Generator, Iterable, List, Optional, Tuple, Union

import pytest

from .program import Conform, ConformError, Planned, environment, executable, plan
from .results import Case, Run, UnreadableResults, read

#: Marks with a meaning of their own in pytest or its plugins; a tag of this name gets a prefix.
RESERVED = frozenset(
    "skip skipif xfail parametrize usefixtures filterwarnings timeout flaky order xdist_group".split()
)

#: The options of `conform run` that decide on the plan.
PLANNING = frozenset("--tag --checks --shard --parameter --explore --seed".split())


class FlakyCase(pytest.PytestWarning):
    """A case passed only on a repetition."""


class Judge:
    """The plan of a session, and the process that judges it."""

    def __init__(self, config: pytest.Config, suites: List[str], shared: Dict[str, str]) -> None:
        # Without settings pytest's root folder may be any that the suites and the tests share, even /.
        root = config.inipath.parent if config.inipath else config.invocation_params.dir
        device = _setting(config, "conform_device")
        if device and not config.getoption("conform_device") and (root / device).is_file():
            device = str(root / device)
        self.suites = suites
        self.device = device
        self.options = shlex.split(_setting(config, "conform_args"))
        self.scratch: Optional[tempfile.TemporaryDirectory[str]] = None
        if not shared:
            self.scratch = tempfile.TemporaryDirectory(prefix="pytest-conform-")
            reports = config.getoption("conform_reports") or root / "Reports" / "pytest"
            shared = {"folder": self.scratch.name, "reports": str(reports), "plan": self._list()}
        #: What all processes of a session share: two folders and the plan.
        self.shared = shared
        self.folder = Path(shared["folder"])
        self.reports = Path(shared["reports"])
        self.cases: Dict[Path, List[Planned]] = {}
        for each in plan(shared["plan"]):
            self.cases.setdefault(Path(each.file).resolve(), []).append(each)
        self.process: Optional[subprocess.Popen[bytes]] = None
        self.results: Dict[str, Case] = {}
        self.read = 0
        #: Whether the command line selects no suites from those of the plan.
        self.is_whole = False

    def _words(self, command: str) -> List[str]:
        device = ["--device", self.device] if self.device else []
        return [executable(), command, *self.suites, *device]

    def _list(self) -> str:
        options: List[str] = []
        for place, word in enumerate(self.options):
            if word.split("=")[0] in PLANNING:
                options += self.options[place : place + (1 if "=" in word else 2)]
        done = subprocess.run(
            [*self._words("list"), *options, "--format", "json"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            check=False,
        )
        if done.returncode not in (0, 4):
            raise pytest.UsageError(done.stderr.decode(errors="replace").strip())
        return done.stdout.decode()

    def result(self, item: ConformItem) -> Optional[Case]:
        """Returns the result of an item, as soon as its case has ended; None if it never will."""
        self._start(item.session)
        while True:
            runs = self._runs()
            self._follow()
            if item.planned.name in self.results or not runs:
                return self.results.get(item.planned.name)
            time.sleep(0.02)

    def _start(self, session: pytest.Session) -> None:
        """Starts the run, unless a process of this session has started it."""
        started = self.folder / "pid"
        if started.exists():
            return
        try:
            os.close(os.open(self.folder / "claim", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            while not started.exists():
                time.sleep(0.02)
            return
        chosen = [each.planned.name for each in session.items if isinstance(each, ConformItem)]
        every = sum(map(len, self.cases.values()))
        selection = [word for name in chosen for word in ("--case", name)]
        for name in ("journal.jsonl", "results.json"):
            (self.reports / name).unlink(missing_ok=True)
        words = [*self._words("run"), *(selection if len(chosen) < every else []), *self.options]
        with open(self.folder / "output", "wb") as output:
            self.process = subprocess.Popen(
                [*words, "--reports", str(self.reports)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment(),
            )
        # Somebody has to wait for it, or it would look alive for ever.
        threading.Thread(target=self.process.wait, daemon=True).start()
        (self.folder / "new").write_text(str(self.process.pid))
        (self.folder / "new").rename(started)

    def _runs(self) -> bool:
        try:
            os.kill(int((self.folder / "pid").read_text()), 0)
        except ProcessLookupError:
            return False
        return True

    def _follow(self) -> None:
        """Reads the new lines of the journal."""
        try:
            with open(self.reports / "journal.jsonl", "rb") as journal:
                journal.seek(self.read)
                for line in journal:
                    if not line.endswith(b"\n"):
                        break
                    self.read += len(line)
                    ended = json.loads(line).get("caseEnded")
                    if ended:
                        case = Case.of(ended, self.reports)
                        self.results[case.name] = case
        except FileNotFoundError:
            pass

    def output(self) -> str:
        """Returns the end of what conform has printed."""
        return "\n".join((self.folder / "output").read_text(errors="replace").splitlines()[-20:])

    def finish(self, stopped: bool) -> None:
        """Waits for the run, which this process may have started, or ends it."""
        if self.process is not None:
            if stopped:
                self.process.terminate()
            self.process.wait()

    def ended(self) -> Optional[Run]:
        """Returns the run after its end; None if there was none."""
        if not (self.folder / "pid").exists():
            return None
        try:
            return read(self.reports)
        except UnreadableResults:
            return None


KEY = pytest.StashKey[Judge]()


class ConformFile(pytest.File):
    """A suite."""

    def collect(self) -> Iterable[ConformItem]:
        """Returns an item for each case of the plan."""
        for planned in self.config.stash[KEY].cases[self.path.resolve()]:
            yield ConformItem.from_parent(self, name=planned.id, planned=planned)


class ConformItem(pytest.Item):
    """A case."""

    def __init__(self, *, planned: Planned, **rest: Any) -> None:
        super().__init__(**rest)
        self.planned = planned
        self.case: Optional[Case] = None
        for name in ("conform", *map(_mark, (*planned.tags, *planned.checks))):
            self.add_marker(name)

    def reportinfo(self) -> Tuple[Union[os.PathLike[str], str], Optional[int], str]:
        """Returns the place of the case in its suite."""
        place = self.planned.position
        return Path(place.file).resolve(), place.line - 1, self.planned.name

    def setup(self) -> None:
        """Waits for the verdict; what could not be judged is an error."""
        judge = self.config.stash[KEY]
        try:
            case = self.case = judge.result(self)
        except ConformError as error:
            pytest.fail(str(error), pytrace=False)
        if case is None:
            why = "conform ended without a verdict on this case"
            pytest.fail(f"{why}\n{judge.output()}", pytrace=False)
        named = {"verdict": case.verdict, "capture": case.capture, "log": case.log}
        self.user_properties += [(f"conform_{key}", str(named[key])) for key in named if named[key]]
        self.user_properties += [(f"conform_{key}", n) for key, n in case.measurements.items()]
        if case.verdict == "skipped" and case.code != "not-run":
            pytest.skip(case.summary)
        if case.verdict not in ("pass", "fail", "known", "flaky"):
            pytest.fail(f"{case.verdict}: {case.text}", pytrace=False)

    def runtest(self) -> None:
        """Passes or fails as the case did."""
        case = self.case
        assert case is not None
        if case.capture:
            self.add_report_section("call", "conform", f"capture: {case.capture}")
        if case.verdict == "known":
            pytest.xfail(case.summary)
        if case.verdict == "flaky":
            warnings.warn(FlakyCase(f"{case.name} passed only on a repetition"), stacklevel=1)
        elif case.verdict != "pass":
            pytest.fail(case.text, pytrace=False)


def _mark(name: str) -> str:
    return f"tag_{name}" if name in RESERVED or name.startswith("_") else name


def _contains(folder: Union[str, Path], path: Union[str, Path]) -> bool:
    outer, inner = Path(folder).resolve(), Path(path).resolve()
    return outer == inner or outer in inner.parents


def _links(case: Case, page: Optional[str]) -> List[Dict[str, Optional[str]]]:
    """Returns what pytest-html shows as links: the capture and the log of a case."""
    folder = os.path.dirname(os.path.abspath(page)) if page else None
    return [
        {
            "name": name,
            "format_type": "url",
            "content": os.path.relpath(path, folder) if folder else str(path),
            "mime_type": None,
            "extension": None,
        }
        for name, path in (("capture", case.capture), ("log", case.log))
        if path
    ]


def _setting(config: pytest.Config, name: str) -> str:
    return str(config.getoption(name) or config.getini(name))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options, and settings for those that a project has once."""
    group = parser.getgroup("conform", "conformance of a device")
    group.addoption(
        "--conform",
        action="append",
        metavar="SUITES",
        help="a suite, or a folder of suites, whose cases are test items; may be repeated",
    )
    group.addoption("--conform-device", metavar="DEVICE", help="as --device of conform run")
    group.addoption(
        "--conform-args", metavar="OPTIONS", help="further options of conform run, in one word"
    )
    group.addoption(
        "--conform-reports", metavar="DIR", help="the report folder (default: Reports/pytest)"
    )
    parser.addini("conform", "suites, or folders of suites", type="paths", default=[])
    parser.addini("conform_device", "as --conform-device", default="")
    parser.addini("conform_args", "as --conform-args", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Reads the plan, and adds the suites to what is collected."""
    config.addinivalue_line("markers", "conform: a case of a suite of conform")
    suites = config.getoption("conform") or [
        os.path.relpath(each) for each in config.getini("conform")
    ]
    if not suites:
        return
    try:
        judge = Judge(config, suites, getattr(config, "workerinput", {}).get("conform", {}))
    except ConformError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[KEY] = judge
    planned = [each for cases in judge.cases.values() for each in cases]
    for name in sorted({_mark(word) for each in planned for word in (*each.tags, *each.checks)}):
        config.addinivalue_line("markers", f"{name}: a tag or requirement of conform's cases")
    # An argument inside the suites, such as suites/first.yaml::registers, selects from them; other
    # arguments are all that is wanted if the suites come from the settings.
    named = [Path(each.split("::")[0]).resolve() for each in config.args]
    is_asked = config.getoption("conform") or not config.getoption("file_or_dir")
    if is_asked and not any(_contains(suite, each) for suite in suites for each in named):
        # pytest 8 loses files that two arguments contain.
        config.args += [
            suite for suite in suites if not any(_contains(each, suite) for each in named)
        ]
        judge.is_whole = not config.getoption("lf", False)


def pytest_configure_node(node: Any) -> None:
    """Gives a worker of pytest-xdist what the processes of the session share."""
    if KEY in node.config.stash:
        node.workerinput["conform"] = node.config.stash[KEY].shared


pytest_configure_node = pytest.hookimpl(optionalhook=True)(pytest_configure_node)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[ConformFile]:
    """Collects the suites of the plan."""
    judge = parent.config.stash.get(KEY, None)
    if judge is None or file_path.resolve() not in judge.cases:
        return None
    return ConformFile.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """Refuses to pass over suites that are in a folder that pytest does not look into."""
    judge = config.stash.get(KEY, None)
    if judge and judge.cases and judge.is_whole:
        if not any(isinstance(each, ConformItem) for each in items):
            raise pytest.UsageError(
                "no case was collected, because of norecursedirs or --ignore; "
                f"name the suites twice: pytest {judge.suites[0]} --conform {judge.suites[0]}"
            )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Reports the duration of the case itself, and skips at its place in the suite."""
    outcome = yield
    if not isinstance(item, ConformItem):
        return
    report: pytest.TestReport = outcome.get_result()
    report.duration = item.case.seconds if item.case and report.when == "call" else 0
    if item.case and (report.when == "call" or not report.passed):
        setattr(report, "extras", _links(item.case, item.config.getoption("htmlpath", None)))
    if report.skipped and isinstance(report.longrepr, tuple):
        file, line, _ = item.location
        report.longrepr = (file, (line or 0) + 1, report.longrepr[2])


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Ends the run; a run that is not conformant fails the session."""
    judge = session.config.stash.get(KEY, None)
    if judge is None:
        return
    broken = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
    stopped = bool(session.shouldstop or session.shouldfail) or exitstatus in broken
    judge.finish(stopped)
    run = judge.ended()
    if run and run.exit_code and not stopped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the outcome of the run and where its reports are."""
    judge = config.stash.get(KEY, None)
    run = judge.ended() if judge else None
    if run:
        terminalreporter.section("conform")
        code = "killed" if run.exit_code is None else f"exit {run.exit_code}"
        terminalreporter.line(f"{run.outcome} ({code}); reports: {run.folder / 'index.html'}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Removes the files that the processes of the session shared."""
    judge = config.stash.get(KEY, None)
    if judge and judge.scratch:
        judge.scratch.cleanup()


@pytest.fixture(scope="session")
def conform(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Conform:
    """Runs suites and checks captures from a test, with the session's device and options."""
    return Conform(
        tmp_path_factory.mktemp("conform"),
        device=_setting(pytestconfig, "conform_device") or None,
        options=shlex.split(_setting(pytestconfig, "conform_args")),
    )
