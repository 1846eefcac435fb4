"""Runs all variants and mutants of a device against suites and prints a table.

    python3 survey.py --conform BINARY --program sdl_app.py --profile sdl-app.yaml --work DIR [options] SUITE ...

Variants must pass what the plain device passes. A mutant runs the cases of its own requirement first, then, if it
survived them, the others. Results are kept in DIR/survey.json, so that a survey can be continued."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+")
    parser.add_argument("--conform", default="conform")
    parser.add_argument("--program", required=True, help="the device's program, for its tables")
    parser.add_argument("--profile", required=True)
    parser.add_argument("--work", required=True, help="folder for profiles, reports and results")
    parser.add_argument("--kind", choices=["variants", "mutants", "both"], default="both")
    parser.add_argument("--names", help="only names that match this regular expression")
    parser.add_argument("--requirements", help="only mutants whose requirement matches this regular expression")
    parser.add_argument("--leave-out", help="cases that match this regular expression are not run")
    parser.add_argument("--only", help="only cases that match this regular expression are run")
    parser.add_argument("--share", type=int, default=1, help="each N-th row only")
    parser.add_argument("--group", type=int, default=1, help="so many variants at once; a group that fails is split")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--time-scale", default="1")
    parser.add_argument("--run-limit", type=float, default=240, help="seconds for one run")
    parser.add_argument("--limit", type=float, default=3000, help="seconds for all")
    return parser.parse_args()


class Survey:
    """One survey: a plain run, then runs with one row each."""

    def __init__(self, options):
        self.options, self.began = options, time.monotonic()
        os.makedirs(options.work, exist_ok=True)
        self.path = os.path.join(options.work, "survey.json")
        self.results = json.load(open(self.path)) if os.path.exists(self.path) else {"plain": None, "variants": {}, "mutants": {}}

    def save(self):
        """Writes the results."""
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(self.results, file, indent=1)

    def late(self):
        """Whether the survey's time is over."""
        return time.monotonic() - self.began > self.options.limit

    def profile(self, variable, name):
        """A copy of the profile that selects a row."""
        with open(self.options.profile, encoding="utf-8") as file:
            text = file.read()
        program = os.path.basename(self.options.program)
        text = re.sub(rf"(?<![\w/]){re.escape(program)}", os.path.join(HERE, program), text)
        if name:
            text += f"env: {{{variable}: {name}}}\n"
        path = os.path.join(self.options.work, "profile.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, variable, name, cases=None, first_only=False):
        """One run of the suites; its cases by "suite/case", None if it gave no result."""
        reports = os.path.join(self.options.work, "reports")
        subprocess.run(["rm", "-rf", reports], check=False)
        command = [self.options.conform, "run", *self.options.suites, "--device", self.profile(variable, name), "--jobs",
                   self.options.jobs, "--late-retries", "1", "--time-scale", self.options.time_scale, "--reports", reports, "-q"]
        command += ["--fail-fast"] if first_only else []
        for case in cases or []:
            command += ["--case", case.split("/", 1)[1].replace("[", "?").replace("]", "?").replace("*", "?")]
        with open(os.path.join(self.options.work, "output.txt"), "w", encoding="utf-8") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
            try:
                process.wait(self.options.run_limit)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGTERM)
                process.wait(20)
        try:
            with open(os.path.join(reports, "results.json"), encoding="utf-8") as file:
                document = json.load(file)
        except (OSError, ValueError):
            return None
        self.messages = self._messages()
        return {f"{case['suite']}/{case['id']}": case for case in document["cases"]}

    def _messages(self):
        messages = {}
        with open(os.path.join(self.options.work, "output.txt"), encoding="utf-8") as file:
            for line in file:
                found = re.match(r"(?:fail|error|inconclusive)\s+[\d.]+ s\s+(\S+?): (.*)", line)
                if found:
                    messages[found[1]] = found[2][:400]
        return messages

    def plain(self):
        """The plain device's cases: what it passes is what rows are judged by."""
        if self.results["plain"] is None:
            cases = self.run("INDEPENDENT_VARIANT", "")
            if cases is None:
                sys.exit("the plain device gave no result: " + os.path.join(self.options.work, "output.txt"))
            self.results["plain"] = {name: {"verdict": case["verdict"], "message": self.messages.get(name),
                                            "requirements": sorted({c["requirement"] for c in case["checks"] if c.get("requirement")})}
                                     for name, case in cases.items()}
            self.save()
        chosen = {name: case for name, case in self.results["plain"].items() if case["verdict"] == "pass"}
        if not chosen:
            sys.exit("the plain device passes no case: " + os.path.join(self.options.work, "output.txt"))
        if self.options.leave_out:
            chosen = {name: case for name, case in chosen.items() if not re.search(self.options.leave_out, name)}
        if self.options.only:
            chosen = {name: case for name, case in chosen.items() if re.search(self.options.only, name)}
        return chosen

    def rows(self, kind):
        """The rows of a table that were asked for and have no result yet."""
        text = subprocess.run([sys.executable, os.path.join(HERE, self.options.program), f"--list-{kind}"],
                              capture_output=True, text=True, check=True, cwd=HERE).stdout
        rows = json.loads(text)[::self.options.share]
        if self.options.names:
            rows = [row for row in rows if re.search(self.options.names, row["name"])]
        if self.options.requirements and kind == "mutants":
            rows = [row for row in rows if re.search(self.options.requirements, row["requirement"])]
        return [row for row in rows if row["name"] not in self.results[kind]]

    def not_passed(self, cases):
        """Cases that did not pass: name, verdict, requirements that failed, message."""
        found = []
        for name, case in cases.items():
            if case["verdict"] not in ("pass", "skipped", "flaky"):
                failed = sorted({c["requirement"] for c in case["checks"] if c.get("requirement") and c["verdict"] == "fail"})
                found.append({"case": name, "verdict": case["verdict"], "requirements": failed, "message": self.messages.get(name, "")})
        return found

    def variants(self):
        """Runs the variants, in groups; a group that does not pass is split."""
        plain = self.plain()
        waiting = self.rows("variants")
        groups = [waiting[at:at + self.options.group] for at in range(0, len(waiting), self.options.group)]
        while groups and not self.late():
            group = groups.pop(0)
            cases = self.run("INDEPENDENT_VARIANT", "+".join(row["name"] for row in group), list(plain))
            found = self.not_passed(cases) if cases else [{"case": "-", "verdict": "no result", "requirements": [], "message": ""}]
            late = [f for f in found if "the machine held up" in f["message"]]
            found = [f for f in found if f not in late]
            if found and len(group) > 1:
                half = len(group) // 2
                groups[:0] = [group[:half], group[half:]]
                continue
            for row in group:
                self.results["variants"][row["name"]] = found
                print(f"variant {row['name']}: " + ("pass" if not found else "; ".join(f"{f['verdict']} {f['case']}" for f in found)) +
                      (f" ({len(late)} of {len(plain)} not judged: busy machine)" if late else ""), flush=True)
            self.save()

    def mutants(self):
        """Runs the mutants: the cases of the requirement, then the others."""
        plain = self.plain()
        for row in self.rows("mutants"):
            if self.late():
                return
            own = [name for name, case in plain.items() if row["requirement"] in case["requirements"]]
            killed, doubtful = [], []
            for cases in (own, [name for name in plain if name not in own]):
                if cases and not killed:
                    done = self.run("INDEPENDENT_MUTANT", row["name"], cases, first_only=True)
                    found = self.not_passed(done) if done else []
                    killed += [f for f in found if f["verdict"] in ("fail", "error")]
                    doubtful += [f for f in found if f not in killed]
            result = self.judged(row, killed, doubtful)
            self.results["mutants"][row["name"]] = result
            self.save()
            print(f"mutant {row['requirement']} {row['name']}: {result['state']} {result['case']} {result['requirements']}", flush=True)

    @staticmethod
    def judged(row, killed, doubtful):
        """Killed with the right requirement, with another one, not judged, or survived."""
        chosen = next((f for f in killed if row["requirement"] in f["requirements"]), (killed or doubtful or [None])[0])
        state = "survived" if chosen is None else "inconclusive" if not killed else \
            "killed" if row["requirement"] in chosen["requirements"] else "killed, other requirement"
        return {"state": state, "requirement": row["requirement"], "case": chosen["case"] if chosen else "",
                "requirements": chosen["requirements"] if chosen else [], "message": chosen["message"] if chosen else ""}

    def table(self):
        """Prints the table."""
        passed = [name for name, found in self.results["variants"].items() if not found]
        print(f"\nvariants: {len(passed)} of {len(self.results['variants'])} passed")
        for name, found in self.results["variants"].items():
            for item in found:
                print(f"| {name} | {item['verdict']} | {item['case']} | {item['message'][:160]} |")
        states = [result["state"] for result in self.results["mutants"].values()]
        print("mutants: " + ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states))))
        for name, result in self.results["mutants"].items():
            print(f"| {name} | {result['requirement']} | {result['state']} | {result['case']} | {' '.join(result['requirements'])} |")


def main():
    """Runs a survey."""
    survey = Survey(arguments())
    if survey.options.kind != "mutants":
        survey.variants()
    if survey.options.kind != "variants":
        survey.mutants()
    survey.table()


if __name__ == "__main__":
    main()
