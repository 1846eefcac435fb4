"""Reads the results of a run: `results.json`, and `journal.jsonl` while the run goes on.

`conform schema results` describes the files. Members that this module does not know are ignored.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Tuple, Union

#: The newest version of `results.json` that this module reads.
SCHEMA = 2

Document = Mapping[str, Any]


class UnreadableResults(ValueError):
    """A file is missing, damaged, or written by a newer conform."""


@dataclass(frozen=True)
class Position:
    """A place in a suite; lines and columns count from 1."""

    file: str
    line: int
    column: int

    @classmethod
    def of(cls, document: Document) -> Position:
        """Reads the place from its JSON."""
        return cls(document["file"], document["line"], document["column"])

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Requirement:
    """A requirement of a catalogue."""

    id: str
    text: str
    #: The section of the specification.
    source: str


@dataclass(frozen=True)
class Explanation:
    """The evidence for a verdict that is not a pass."""

    requirements: Tuple[Requirement, ...]
    #: The step that was not fulfilled.
    position: Position
    expected: str
    actual: str
    #: The frames of the capture that prove it, as Wireshark counts them.
    frames: Tuple[int, ...]

    @classmethod
    def of(cls, document: Document) -> Explanation:
        """Reads the evidence from its JSON."""
        return cls(
            tuple(
                Requirement(each["id"], each["text"], each.get("source", ""))
                for each in document["requirements"]
            ),
            Position.of(document["position"]),
            document["expected"],
            document["actual"],
            tuple(document["frames"]),
        )


@dataclass(frozen=True)
class Case:
    """A case after it has been judged."""

    suite: str
    id: str
    title: str
    position: Position
    #: `pass`, `fail`, `inconclusive`, `error`, `skipped`, `known` or `flaky`.
    verdict: str
    seconds: float
    #: The verdict on each requirement that the case checks.
    checks: Dict[str, str]
    #: Why it is not a pass, such as `timing`, and in a sentence; empty for a pass.
    code: str = ""
    summary: str = ""
    explanation: Optional[Explanation] = None
    capture: Optional[Path] = None
    log: Optional[Path] = None
    evidence: Optional[Path] = None
    #: The command that runs the case again.
    reproduce: str = ""
    #: What the case has measured: seconds, or a number of messages.
    measurements: Dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, document: Document, folder: Path) -> Case:
        """Reads a case from its JSON in the reports of a folder."""

        def path(name: str) -> Optional[Path]:
            return folder / document[name] if document.get(name) else None

        reason = document.get("reason") or {}
        explanation = reason.get("explanation")
        return cls(
            suite=document["suite"],
            id=document["id"],
            title=document["title"],
            position=Position.of(document["position"]),
            verdict=document["verdict"],
            seconds=document["seconds"],
            checks={each["requirement"]: each["verdict"] for each in document["checks"]},
            code=reason.get("code", ""),
            summary=reason.get("summary", ""),
            explanation=Explanation.of(explanation) if explanation else None,
            capture=path("capture"),
            log=path("log"),
            evidence=path("evidenceFile"),
            reproduce=document.get("reproduce", ""),
            measurements={
                each["name"]: each["seconds"] if "seconds" in each else each.get("count", 0)
                for each in document.get("measurements", ())
            },
        )

    @property
    def name(self) -> str:
        """The name that is unique in a run: `suite/id`."""
        return f"{self.suite}/{self.id}"

    @property
    def passed(self) -> bool:
        """Whether the device did what the case requires, at least on a repetition (`flaky`)."""
        return self.verdict in ("pass", "flaky")

    @property
    def text(self) -> str:
        """The sentence of the verdict, with the evidence in lines below it."""
        rows = []
        why = self.explanation
        if why:
            rows = [
                (f"requirement {each.id}", f'"{each.text}" {each.source}'.rstrip())
                for each in why.requirements
            ]
            rows += [("step", str(why.position)), ("expected", why.expected)]
            rows += [("actual", why.actual)]
            rows += [("frames", ", ".join(map(str, why.frames)))] if why.frames else []
        rows += [("case", str(self.position))]
        rows += [("capture", str(self.capture))] if self.capture else []
        rows += [("device log", str(self.log))] if self.log else []
        rows += [("run again", self.reproduce)] if self.reproduce else []
        sentence = self.summary or f"{self.name}: {self.verdict}"
        return "\n".join([sentence, *(f"  {name:<11} {text}" for name, text in rows)])


@dataclass(frozen=True)
class Run:
    """A run, or a check of captures."""

    folder: Path
    #: `conformant`, `not conformant`, `could not judge`, ...
    outcome: str
    #: The exit code; None if the run was killed.
    exit_code: Optional[int]
    device: str
    #: All cases of the plan, in its order.
    cases: Tuple[Case, ...]
    #: The verdict on each requirement of the suites' catalogues.
    requirements: Dict[str, str]

    @property
    def conformant(self) -> bool:
        """Whether all cases of the plan passed, were skipped for a reason, or failed as known."""
        return self.exit_code == 0

    def __getitem__(self, name: str) -> Case:
        """Returns the case `suite/id`, or `id` if only one suite has it."""
        found = [each for each in self.cases if name in (each.name, each.id)]
        if len(found) != 1:
            raise KeyError(name)
        return found[0]


def read(path: Union[str, os.PathLike[str]]) -> Run:
    """Reads a report folder, or its `results.json`."""
    file = Path(path)
    if file.is_dir():
        file /= "results.json"
    try:
        document = json.loads(file.read_text("utf-8"))
        if document["schema"] > SCHEMA:
            raise UnreadableResults(
                f"{file}: schema {document['schema']} is newer than {SCHEMA}, which is the newest "
                "that this module reads"
            )
        return Run(
            folder=file.parent,
            outcome=document["outcome"],
            exit_code=document.get("exitCode"),
            device=document["run"]["device"]["name"],
            cases=tuple(Case.of(each, file.parent) for each in document["cases"]),
            requirements={
                each["requirement"]: each["verdict"] for each in document["coverage"]["rows"]
            },
        )
    except OSError as error:
        raise UnreadableResults(f"{file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, UnreadableResults):
            raise
        raise UnreadableResults(f"{file}: not the results of a run of conform: {error!r}") from error
