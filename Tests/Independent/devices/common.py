"""The common parts of all independent devices: configuration, habits, time, log and controls."""

import asyncio
import json
import os
import sys
import time

SCALE = float(os.environ.get("CONFORM_TIME_SCALE") or "1")
START = time.monotonic()


def now():
    """Seconds at time scale 1."""
    return time.monotonic() * SCALE


def scaled(seconds):
    """A wait in seconds at the time scale of the run."""
    return seconds / SCALE


def log(text):
    """Writes one line to the device's log."""
    print(f"{time.monotonic() - START:9.4f} {text}", flush=True)


def read_configuration():
    """The case's configuration: from the file, else from the environment, else empty."""
    path = os.environ.get("CONFORM_CONFIG_FILE")
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    return json.loads(os.environ.get("CONFORM_CONFIG") or "{}")


def variant(name, allowed_by, what, **knobs):
    """A row of a table of conforming habits."""
    return {"name": name, "allowedBy": allowed_by, "what": what, "set": knobs}


def mutant(name, requirement, sentence, what, config=None, **knobs):
    """A row of a table of mistakes. `config` changes the configuration, `knobs` the behaviour."""
    row = {"name": name, "requirement": requirement, "sentence": sentence, "what": what, "set": knobs}
    if config:
        row["config"] = config
    return row


def second_round(rows):
    """Rows of the second round: `survey.py --round 2` selects them."""
    return [{**row, "round": 2} for row in rows]


def fourth_round(rows):
    """Rows of the fourth round: `survey.py --round 4` selects them."""
    return [{**row, "round": 4} for row in rows]


def fifth_round(rows):
    """Rows of the fifth round: `survey.py --round 5` selects them."""
    return [{**row, "round": 5} for row in rows]


def sixth_round(rows):
    """Rows of the sixth round: `survey.py --round 6` selects them."""
    return [{**row, "round": 6} for row in rows]


def seventh_round(rows):
    """Rows of the seventh round: `survey.py --round 7` selects them."""
    return [{**row, "round": 7} for row in rows]


def third_round(rows):
    """Rows of the third round: `survey.py --round 3` selects them."""
    return [{**row, "round": 3} for row in rows]


class Habits:
    """The selected behaviour: knobs that differ from those of the plain device."""

    def __init__(self, variants, mutants, environment=None):
        environment = os.environ if environment is None else environment
        self.rows = []
        self.knobs = {}
        self._take("INDEPENDENT_VARIANT", variants, environment)
        self._take("INDEPENDENT_MUTANT", mutants, environment)

    def _take(self, variable, table, environment):
        for name in filter(None, (environment.get(variable) or "").split("+")):
            self._take_row(variable, table, name)

    def _take_row(self, variable, table, name):
        row = next((row for row in table if row["name"] == name), None)
        if row is None:
            sys.exit(f"{variable}: there is no {name}")
        self.rows.append(row)
        self.knobs.update(row["set"])
        log(f"{variable.lower()}: {name}")

    def get(self, knob, plain=None):
        """The value of a knob, `plain` unless a row sets it."""
        return self.knobs.get(knob, plain)

    def on(self, knob):
        """Whether a knob that is off in the plain device is on."""
        return bool(self.knobs.get(knob))


def list_tables(arguments, variants, mutants):
    """Handles --list-variants and --list-mutants; returns whether there was one."""
    if "--list-variants" in arguments:
        print(json.dumps(variants, indent=1))
    elif "--list-mutants" in arguments:
        print(json.dumps(mutants, indent=1))
    else:
        return False
    return True


def check_tables(variants, mutants):
    """Names must be unique and each mutant must set a knob."""
    names = [row["name"] for row in variants + mutants]
    doubles = {name for name in names if names.count(name) > 1}
    idle = [row["name"] for row in variants + mutants if not row["set"]]
    if doubles or idle:
        sys.exit(f"tables: double {sorted(doubles)}, without knobs {idle}")


async def serve_controls(methods):
    """Answers JSON-RPC lines on standard input; `methods` are functions of one dict."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=4 << 20)
    try:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    except ValueError:
        return
    while line := await reader.readline():
        try:
            request = json.loads(line)
        except ValueError:
            continue
        answer = {"jsonrpc": "2.0", "id": request.get("id")}
        method = methods.get(request.get("method"))
        log(f"control {request.get('method')} {json.dumps(request.get('params'))}")
        if method is None:
            answer["error"] = {"code": -32601, "message": "method not found"}
        else:
            try:
                result = method(request.get("params") or {})
                if asyncio.iscoroutine(result):
                    result = await result
                answer["result"] = result
            except (ValueError, KeyError, OSError) as error:
                answer["error"] = {"code": -32000, "message": str(error)}
        print(json.dumps(answer), flush=True)
