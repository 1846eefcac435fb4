"""Runs the program conform."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple, Union

from .results import Position, Run, UnreadableResults, read

Name = Union[str, "os.PathLike[str]"]


class ConformError(Exception):
    """conform has written no results; the text is what it printed."""


def executable() -> str:
    """Returns the program: `CONFORM`, that of this Python environment, or that of the PATH."""
    named = os.environ.get("CONFORM")
    if named:
        return named
    own = Path(sysconfig.get_path("scripts"), "conform")
    found = str(own) if own.is_file() else shutil.which("conform")
    if not found:
        raise ConformError("conform is not installed; CONFORM may name the program")
    return found


def environment() -> Dict[str, str]:
    """Returns the environment of the program, which nobody operates from here."""
    return {"CONFORM_OPERATOR": "none", **os.environ}


@dataclass(frozen=True)
class Planned:
    """A case that a run would judge."""

    suite: str
    id: str
    title: str
    #: The file of the suite; the case may be written in a file that it includes.
    file: str
    position: Position
    checks: Tuple[str, ...]
    tags: Tuple[str, ...]

    @property
    def name(self) -> str:
        """The name that is unique in a run: `suite/id`."""
        return f"{self.suite}/{self.id}"


def plan(text: str) -> List[Planned]:
    """Reads what `conform list --format json` prints."""
    document = json.loads(text)
    files = {each["id"]: each["file"] for each in document["suites"]}
    return [
        Planned(
            suite=each["suite"],
            id=each["id"],
            title=each["title"],
            file=files[each["suite"]],
            position=Position.of(each["position"]),
            checks=tuple(each["checks"]),
            tags=tuple(each["tags"]),
        )
        for each in document["cases"]
    ]


class Conform:
    """Runs suites and checks captures, and returns typed results.

    Each call writes its reports into a folder of its own.
    """

    def __init__(
        self, folder: Path, device: Optional[str] = None, options: Sequence[str] = ()
    ) -> None:
        """Reports go below `folder`; `device` and `options` are those of all runs."""
        self.folder = folder
        self.device = device
        self.options = tuple(options)
        self._count = 0

    def run(
        self,
        *suites: Name,
        device: Optional[str] = None,
        cases: Sequence[str] = (),
        options: Sequence[str] = (),
    ) -> Run:
        """Runs suites live: `conform run SUITES --device DEVICE --case CASES OPTIONS`."""
        device = device or self.device
        chosen = ["--device", device] if device else []
        return self._execute(["run", *map(str, suites)], cases, [*chosen, *self.options, *options])

    def check(
        self, suite: Name, *captures: Name, cases: Sequence[str] = (), options: Sequence[str] = ()
    ) -> Run:
        """Judges captures: `conform check SUITE CAPTURES --case CASES OPTIONS`."""
        return self._execute(["check", str(suite), *map(str, captures)], cases, options)

    def _execute(self, words: Sequence[str], cases: Sequence[str], options: Sequence[str]) -> Run:
        self._count += 1
        reports = self.folder / str(self._count)
        selection = [word for case in cases for word in ("--case", case)]
        done = subprocess.run(
            [executable(), *words, *selection, *options, "--reports", str(reports)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(),
            check=False,
        )
        try:
            return read(reports)
        except UnreadableResults as error:
            raise ConformError(done.stdout.decode(errors="replace").strip()) from error
