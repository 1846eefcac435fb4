"""Checks the JUnit file of a report folder with programs that read such files.

    python3 Tests/Readers/readers.py REPORT-FOLDER [--publish FOLDER]

The readers are junitparser, junit2html and, where its sources are in FOLDER, the GitHub action
publish-unit-test-result. Exits with 1 and prints what a reader reads differently from the run.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

KINDS = ("failure", "error", "skipped")


class Readers:
    """Runs the readers, and collects what differs from the expected results."""

    def __init__(self, folder):
        self.junit = folder / "junit.xml"
        results = json.loads((folder / "results.json").read_text())
        self.cases = {(c["suite"], c["id"]): c for c in results["cases"]}
        self.faults = []

    def expect(self, found, wanted, what):
        if found != wanted:
            self.faults.append(f"{what}: {found}, expected {wanted}")

    def wanted(self):
        """Returns the number of the run's cases of each kind, by the kinds of JUnit."""
        verdicts = [case["verdict"] for case in self.cases.values()]
        return {
            "tests": len(verdicts),
            "failure": verdicts.count("fail"),
            "error": verdicts.count("error") + verdicts.count("inconclusive"),
            "skipped": verdicts.count("skipped") + verdicts.count("known"),
        }

    def junitparser(self):
        import junitparser

        counts = dict.fromkeys(("tests", *KINDS), 0)
        names = set()
        for suite in junitparser.JUnitXml.fromfile(str(self.junit)):
            for case in suite:
                counts["tests"] += 1
                names.add((case.classname, case.name))
                for result in case.result:
                    kind = type(result).__name__.lower()
                    if kind in KINDS:
                        counts[kind] += 1
        self.expect(counts, self.wanted(), "junitparser counts")
        self.expect(names, set(self.cases), "junitparser names")

    def junit2html(self):
        with tempfile.TemporaryDirectory() as scratch:
            page = pathlib.Path(scratch, "page.html")
            command = [sys.executable, "-m", "junit2htmlreport", str(self.junit), str(page)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.expect(run.returncode, 0, f"junit2html ends ({run.stderr[-400:]})")
            text = page.read_text() if page.exists() else ""
        for _, name in self.cases:
            self.expect(name in text, True, f"junit2html shows {name}")

    def publish(self, sources):
        sys.path.insert(0, str(sources / "python"))
        from publish.junit import parse_junit_xml_files, process_junit_xml_elems
        from publish.unittestresults import get_test_results

        trees = parse_junit_xml_files([str(self.junit)], False, False)
        parsed = process_junit_xml_elems(trees)
        self.expect(parsed.errors, [], "publish-unit-test-result finds errors in the file")
        results = get_test_results(parsed.with_commit("0" * 40), False)
        found = {
            "tests": results.tests,
            "failure": results.tests_failures,
            "error": results.tests_errors,
            "skipped": results.tests_skipped,
        }
        self.expect(found, self.wanted(), "publish-unit-test-result counts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--publish", type=pathlib.Path)
    arguments = parser.parse_args()
    readers = Readers(arguments.folder)
    readers.junitparser()
    readers.junit2html()
    if arguments.publish:
        readers.publish(arguments.publish)
    for fault in readers.faults:
        print(f"readers: {fault}", file=sys.stderr)
    if readers.faults:
        sys.exit(1)
    print("readers: all results are those of the run")


main()
