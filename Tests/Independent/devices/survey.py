"""Runs all variants and mutants of the devices against their suites and prints a table.

    python3 survey.py --conform BINARY --work DIR [options] [DEVICE ...]

A DEVICE is sdl-app, sdl-protocol, accessory-app, session-client, head-unit, unit-protocol, profile-app or profile-iap;
by default all that are installed and have rows of the round. Variants must pass what the plain device passes; those of one group set different knobs. A mutant first runs
the cases that check its own requirement, until one of them finds it under that requirement; if it survives these, it
runs the others. Cases that a busy machine could not judge are run again, and do not count if that repeats. Results are
kept in DIR/DEVICE/survey.json, so that a survey can be continued. The exit status is 1 if a variant failed or a mutant
was not found under its requirement."""

import argparse
import fnmatch
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUITES = os.path.normpath(os.path.join(HERE, "../../../Suites"))

# The program of each device, its tables of habits, and the suites that judge it.
DEVICES = {
    "sdl-app": ("sdl_app.py", ["habits_sdl", "second_sdl", "third_sdl", "fourth_sdl", "fifth_sdl", "sixth_sdl"], ["registration-language", "hash-resume"]),
    "sdl-protocol": ("sdl_app.py", ["second_protocol", "third_protocol", "fourth_protocol", "fifth_protocol", "sixth_protocol"], ["sdl-app-protocol"]),
    "accessory-app": ("sdl_app.py", ["habits_accessory", "second_accessory", "third_accessory", "fifth_accessory", "seventh_accessory"], ["protocol-string-fallback", "retry-exhaustion"]),
    "session-client": ("session_client.py", ["habits_session", "second_session", "third_session", "fifth_session"], ["backoff-timing"]),
    "head-unit": ("head_unit.py", ["habits_head_unit", "second_head_unit", "sixth_head_unit"], ["head-unit-multisession"]),
    "unit-protocol": ("head_unit.py", ["second_unit_protocol", "fifth_unit_protocol", "sixth_head_unit"], ["sdl-head-unit-protocol"]),
    "profile-app": ("profile_app.py", ["habits_profile", "second_profile", "third_profile", "fifth_profile", "seventh_profile"], ["profile-connections"]),
    "profile-iap": ("profile_app.py", ["habits_profile_iap", "second_profile_iap", "third_profile_iap", "fifth_profile_iap", "seventh_profile_iap"], ["profile-connections-iap"]),
}


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("devices", nargs="*", metavar="DEVICE")
    parser.add_argument("--conform", default="conform")
    parser.add_argument("--work", required=True, help="folder for profiles, reports and results")
    parser.add_argument("--kind", choices=["variants", "mutants", "both"], default="both")
    parser.add_argument("--names", help="only names that match this regular expression")
    parser.add_argument("--requirements", help="only mutants whose requirement matches this regular expression")
    parser.add_argument("--leave-out", help="cases that match this regular expression are not run")
    parser.add_argument("--case", action="append", default=[], metavar="PATTERN", help="only these cases (* any characters, ? one)")
    parser.add_argument("--again", action="store_true", help="run selected rows again even if they have a result")
    parser.add_argument("--table", action="store_true", help="run nothing, print the results so far")
    parser.add_argument("--before", metavar="FILE", help="results of an earlier survey: the case that found a mistake in it is tried first")
    parser.add_argument("--own", action="store_true", help="a mutant runs the cases of its own requirement only")
    parser.add_argument("--share", type=int, default=1, help="only each N-th row")
    parser.add_argument("--round", choices=["1", "2", "3", "4", "5", "6", "7", "all"], default="1", help="the round in which the rows were written (default 1)")
    parser.add_argument("--explore", type=int, metavar="N", help="passed on to conform run: explores N variations")
    parser.add_argument("--explore-time", metavar="T", help="passed on to conform run: explores for this time")
    parser.add_argument("--seed", type=int, metavar="S", help="passed on to conform run: the seed of random choices")
    parser.add_argument("--group", type=int, default=1, help="number of variants in one run; a group that fails is split")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--time-scale", default="1")
    parser.add_argument("--run-limit", type=float, default=240, help="seconds for one run")
    parser.add_argument("--limit", type=float, default=3000, help="seconds for all")
    options = parser.parse_args()
    for device in set(options.devices) - set(DEVICES):
        parser.error(f"there is no device {device}, only {', '.join(DEVICES)}")
    return options


def installed():
    """The devices that can run here: those that use Bumble need the Python of Scripts/third-party."""
    python = os.path.normpath(os.path.join(HERE, "../../../.third-party/python/bin/python3"))
    return [device for device in DEVICES if os.path.exists(python) or not device.startswith("profile")]


def patterns(cases):
    """The patterns that select cases given as "suite/case"."""
    return [re.sub(r"[][*]", "?", case.split("/", 1)[1]) for case in cases]


class Survey:
    """The survey of one device: a plain run, then runs with one row each."""

    def __init__(self, device, options):
        self.device, self.options, self.began = device, options, time.monotonic()
        self.program, self.tables, suites = DEVICES[device]
        self.suites = [os.path.join(SUITES, suite + ".yaml") for suite in suites]
        self.work = os.path.join(options.work, device)
        os.makedirs(self.work, exist_ok=True)
        self.path, self.output = os.path.join(self.work, "survey.json"), os.path.join(self.work, "output.txt")
        self.results = json.load(open(self.path)) if os.path.exists(self.path) else {"plain": None, "variants": {}, "mutants": {}}

    def found_before(self, name):
        """The case that found a mistake in an earlier survey, or None."""
        if not self.options.before:
            return None
        with open(self.options.before, encoding="utf-8") as file:
            return json.load(file)["mutants"].get(name, {}).get("case")

    def save(self):
        """Writes the results."""
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(self.results, file, indent=1)

    def late(self):
        """Whether the survey's time is over."""
        return time.monotonic() - self.began > self.options.limit

    def profile(self, variable, name):
        """A copy of the profile that selects a row."""
        with open(os.path.join(HERE, self.device + ".yaml"), encoding="utf-8") as file:
            text = file.read().replace(self.program, os.path.join(HERE, self.program)).replace("../../..", os.path.normpath(os.path.join(HERE, "../../..")))
        # A device cannot see the user's home, where this Python may be.
        if not sys.executable.startswith(os.path.expanduser("~")):
            text = text.replace("[python3,", f"[{sys.executable},")
        if name:
            text += f"env: {{{variable}: {name}}}\n"
        path = os.path.join(self.work, "profile.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, variable, name, cases=None, first_only=False):
        """Runs the suites once; returns the cases by "suite/case", or None if there is no result."""
        reports = os.path.join(self.work, "reports")
        subprocess.run(["rm", "-rf", reports], check=False)
        command = [self.options.conform, "run", *self.suites, "--device", self.profile(variable, name), "--jobs",
                   self.options.jobs, "--time-scale", self.options.time_scale, "--reports", reports, "-q"]
        for option in ("explore", "explore_time", "seed"):
            if (value := getattr(self.options, option)) is not None:
                command += [f"--{option.replace('_', '-')}", str(value)]
        command += ["--fail-fast"] if first_only else []
        for case in cases or []:
            command += ["--case", case]
        with open(self.output, "w", encoding="utf-8") as output:
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
        with open(self.output, encoding="utf-8") as file:
            for line in file:
                found = re.match(r"(?:fail|error|inconclusive)\s+[\d.]+ s\s+(\S+?(?:\[.*?\])?): (.*)", line)
                if found:
                    messages[found[1]] = found[2][:400]
        return messages

    def plain(self):
        """The cases that the plain device passes, by which rows are judged. Cases that a busy machine could not judge run again."""
        known = self.results["plain"] or {}
        again = [name for name, case in known.items() if "the machine held up" in (case["message"] or "")]
        if again or not known:
            cases = self.run("INDEPENDENT_VARIANT", "", patterns(again) or self.options.case)
            if cases is None:
                sys.exit("the plain device gave no result: " + self.output)
            found = {name: {"verdict": case["verdict"], "message": self.messages.get(name),
                            "requirements": sorted({c["requirement"] for c in case["checks"] if c.get("requirement")})}
                     for name, case in cases.items() if name not in known or case["verdict"] != "skipped"}
            self.results["plain"] = known | found
            self.save()
        chosen = {name: case for name, case in self.results["plain"].items() if case["verdict"] == "pass"}
        if not chosen:
            sys.exit("the plain device passes no case: " + self.output)
        if self.options.leave_out:
            chosen = {name: case for name, case in chosen.items() if not re.search(self.options.leave_out, name)}
        if self.options.case:
            chosen = {name: case for name, case in chosen.items() if any(fnmatch.fnmatchcase(name, "*/" + p) for p in self.options.case)}
        return chosen

    def all_rows(self, kind):
        """The rows of the tables of the selected round."""
        rows = [row for table in self.tables for row in getattr(importlib.import_module(table), kind.upper())]
        return [row for row in rows if self.options.round in ("all", str(row.get("round", 1)))]

    def rows(self, kind):
        """The selected rows of a table that have no result yet."""
        rows = self.all_rows(kind)[::self.options.share]
        if self.options.names:
            rows = [row for row in rows if re.search(self.options.names, row["name"])]
        if self.options.requirements and kind == "mutants":
            rows = [row for row in rows if re.search(self.options.requirements, row["requirement"])]
        return [row for row in rows if self.options.again or row["name"] not in self.results[kind]]

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
        groups = self.groups(self.rows("variants"))
        while groups and not self.late():
            group = groups.pop(0)
            cases = self.run("INDEPENDENT_VARIANT", "+".join(row["name"] for row in group), patterns(plain))
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

    def groups(self, rows):
        """Rows in groups; no group sets a knob twice, because the rows would conflict, as an order does with all at once."""
        groups = []
        for row in rows:
            knobs = {"order" if knob == "atOnce" else knob for knob in row["set"]}
            group = next((g for g in groups if len(g["rows"]) < self.options.group and not g["knobs"] & knobs), None)
            if group is None:
                group = {"rows": [], "knobs": set()}
                groups.append(group)
            group["rows"].append(row)
            group["knobs"] |= knobs
        return [group["rows"] for group in groups]

    def mutants(self):
        """Runs the mutants."""
        plain = self.plain()
        for row in self.rows("mutants"):
            if self.late():
                return
            began = time.monotonic()
            own = [name for name, case in plain.items() if row["requirement"] in case["requirements"]]
            first = [name for name in own if name == self.found_before(row["name"])]
            killed, doubtful = self.attack(row, first)
            if not any(row["requirement"] in found["requirements"] for found in killed):
                more, unjudged = self.attack(row, [name for name in own if name not in first])
                killed, doubtful = killed + more, doubtful + unjudged
            if not killed and not self.options.own:
                killed, more = self.attack(row, [name for name in plain if name not in own])
                doubtful += more
            result = self.judged(row, killed, doubtful)
            if not own and not killed:
                result["state"] = "no case that the plain device passes"
            self.results["mutants"][row["name"]] = result
            self.save()
            print(f"mutant {row['requirement']} {row['name']}: {result['state']} {result['case']} {result['requirements']}"
                  f" ({time.monotonic() - began:.0f} s)", flush=True)

    def attack(self, row, cases):
        """Runs a mutant on cases until one finds it under its requirement; returns what failed, and what was not judged."""
        killed, doubtful = [], []
        while cases:
            done = self.run("INDEPENDENT_MUTANT", row["name"], patterns(cases), first_only=True)
            found = self.not_passed(done) if done else [{"case": "-", "verdict": "no result", "requirements": [], "message": ""}]
            failed = [f for f in found if f["verdict"] in ("fail", "error")]
            killed += failed
            doubtful += [f for f in found if f not in failed]
            if not failed or any(row["requirement"] in f["requirements"] for f in failed):
                break
            cases = [name for name in cases if done.get(name, {"verdict": "skipped"})["verdict"] == "skipped"]
        return killed, doubtful

    @staticmethod
    def judged(row, killed, doubtful):
        """The result of a mutant: killed with the right requirement, with another one, not judged, or survived."""
        chosen = next((f for f in killed if row["requirement"] in f["requirements"]), (killed or doubtful or [None])[0])
        busy = all("the machine held up" in f["message"] for f in doubtful)
        state = "survived" if chosen is None else ("not judged" if busy else "inconclusive") if not killed else \
            "killed" if row["requirement"] in chosen["requirements"] else "killed, other requirement"
        return {"state": state, "requirement": row["requirement"], "case": chosen["case"] if chosen else "",
                "requirements": chosen["requirements"] if chosen else [], "message": chosen["message"] if chosen else ""}

    def table(self):
        """Prints what did not pass, and the result of each mutant."""
        print(f"\n## {self.device}\n")
        for name, found in self.results["variants"].items():
            for item in found:
                print(f"- variant {name}: {item['verdict']} {item['case']}: {item['message'][:160]}")
        print("\n| mutant | breaks | result | case | cites |\n| --- | --- | --- | --- | --- |")
        for name, result in self.results["mutants"].items():
            print(f"| {name} | {result['requirement']} | {result['state']} | {result['case']} | {' '.join(result['requirements'])} |")

    def is_good(self):
        """Whether all variants passed, and each mutant was found under its requirement or not judged."""
        return not any(self.results["variants"].values()) and all(
            result["state"] in ("killed", "not judged") for result in self.results["mutants"].values())

    def summary(self):
        """The device's line of numbers in the table of all devices."""
        passed = [name for name, found in self.results["variants"].items() if not found]
        states = [result["state"] for result in self.results["mutants"].values()]
        others = [f"{states.count(state)} {state}" for state in sorted(set(states) - {"killed"})]
        return (f"| {self.device} | {len(passed)} of {len(self.results['variants'])} | {len(states)} | {states.count('killed')} |"
                f" {', '.join(others) or '-'} |")


def main():
    """Runs the surveys, and prints the tables."""
    options = arguments()
    surveys = [Survey(device, options) for device in options.devices or installed()]
    surveys = [survey for survey in surveys if survey.all_rows("variants") or survey.all_rows("mutants")]
    for survey in surveys:
        if not options.table and options.kind != "mutants":
            survey.variants()
        if not options.table and options.kind != "variants":
            survey.mutants()
    for survey in surveys:
        survey.table()
    print("\n| device | variants passed | mutants run | killed, requirement right | others |\n| --- | --- | --- | --- | --- |")
    for survey in surveys:
        print(survey.summary())
    sys.exit(0 if all(survey.is_good() for survey in surveys) else 1)


if __name__ == "__main__":
    main()
