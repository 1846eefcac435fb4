"""Opens the sample report in a browser and uses it as a reader would.

    python3 Tests/Browser/report.py REPORT-FOLDER [--screenshots FOLDER] [--axe AXE.MIN.JS]

Exits with 1 and prints the faults if there are any.
"""

import argparse
import json
import pathlib
import sys
import urllib.parse

from webdriver import Browser

CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (c) => { const s = c.slice(0, 3).map((v) => { v /= 255;
  return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
  return 0.2126 * s[0] + 0.7152 * s[1] + 0.0722 * s[2]; };
const ground = (e) => { for (; e; e = e.parentElement) {
  const c = parse(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const bad = [];
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('svg') || !e.getClientRects().length || e.classList.contains('hidden')) continue;
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
  const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' '
    + e.textContent.slice(0, 30));
}
return bad;
"""

STRUCTURE = """
const all = (q) => [...document.querySelectorAll(q)];
const ids = all('[id]').map((e) => e.id);
const faults = [];
const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
if (twice.length) faults.push('duplicate ids: ' + twice.slice(0, 5));
for (const a of all('a[href^="#"]')) {
  const id = decodeURIComponent(a.getAttribute('href').slice(1));
  if (!document.getElementById(id)) faults.push('a broken link: ' + id);
}
for (const q of ['header', 'nav[aria-label]', 'main', 'footer', 'h1'])
  if (!document.querySelector(q)) faults.push('no ' + q);
for (const t of all('table')) if (!t.caption) faults.push('a table without a caption');
for (const t of all('thead th')) if (t.scope !== 'col') faults.push('a th without a scope');
for (const s of all('svg[role=img], svg[role=group]')) {
  if (!s.querySelector('title') || !s.querySelector('desc')) faults.push('an svg without a title');
}
for (const i of all('input')) if (!i.labels.length) faults.push('an input without a label');
if (!document.documentElement.lang) faults.push('no language');
return faults;
"""


CUT = """
const bad = [];
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('.scroll, .hex, svg, .skip, .hidden') || !e.getClientRects().length) continue;
  const box = e.getBoundingClientRect();
  if (box.right > innerWidth + 1 || box.left < -1)
    bad.push(e.tagName + '.' + e.className + ' is cut: ' + e.textContent.slice(0, 30));
}
return bad.slice(0, 10);
"""

# axe needs about a millisecond for each element, and more on a busy machine. What is in the cases
# that stay closed is also on the pages of cases, so it is removed.
OPEN = """
document.querySelectorAll('#requirements details, .case-page details, details.case:first-of-type,'
  + ' .reason:first-of-type details').forEach((d) => { d.open = true; });
document.querySelectorAll('details.case:not([open]) > :not(summary)').forEach((e) => e.remove());
"""

AXE = """
const done = arguments[arguments.length - 1];
const options = {resultTypes: ['violations']};
if (arguments.length > 1) options.runOnly = {type: 'rule', values: arguments[0]};
axe.run(document, options).then((r) => done(r.violations.flatMap(
  (v) => v.nodes.slice(0, 3).map((n) => [v.impact, v.id, n.html.slice(0, 160)]))));
"""


class Reader:
    """Uses the pages, and collects the faults."""

    def __init__(self, folder, screenshots, axe):
        self.axe = axe.read_text() if axe else None
        self.folder = folder
        self.screenshots = screenshots
        self.url = folder.joinpath("index.html").as_uri()
        self.results = json.loads(folder.joinpath("results.json").read_text())
        self.faults = []

    def expect(self, holds, fault):
        if not holds:
            self.faults.append(fault)

    def failing(self):
        return [case for case in self.results["cases"] if case["verdict"] == "fail"]

    def shoot(self, browser, name):
        if self.screenshots:
            browser.screenshot(str(self.screenshots / f"report-{name}.png"))

    def read(self):
        with Browser() as browser:
            browser.resize(1280, 1000)
            browser.prefer("light")
            browser.open(self.url)
            self.first_screen(browser)
            self.shoot(browser, "light")
            self.filter(browser)
            self.failing_case(browser)
            self.failing_schedule(browser)
            self.print_view(browser)
            self.phone(browser)
            self.dark(browser)
            self.case_page(browser)
            self.accessible(browser)
            self.network(browser)
        with Browser(javascript=False) as browser:
            self.without_javascript(browser)

    def first_screen(self, browser):
        head = browser.run("return document.querySelector('#verdict').innerText")
        self.expect("does not conform" in head, f"the verdict does not say so: {head[:80]}")
        self.expect("Responsible" in head, "the verdict does not say who is responsible")
        self.expect("planned" in head and "judged" in head, "the verdict lacks the audit")
        bottom = browser.run(
            "return document.querySelector('#verdict').getBoundingClientRect().bottom")
        self.expect(bottom < 700, f"the verdict needs {bottom} points of the first screen")
        first = browser.run("return document.querySelector('details.case .name').innerText")
        self.expect(first.endswith(self.failing()[0]["id"]),
                    f"{first} is the first case that did not pass")
        self.faults += browser.run(STRUCTURE)
        self.faults += [f"light, contrast: {text}" for text in browser.run(CONTRAST)]

    def filter(self, browser):
        visible = ("return [...document.querySelectorAll('.case-rows > tr')]"
                   ".filter((r) => r.getClientRects().length).length")
        total = len(self.results["cases"])
        self.expect(browser.run(visible) == total, "not all cases are in the table")
        browser.click("#filter input[value=pass]")
        passed = sum(case["verdict"] == "pass" for case in self.results["cases"])
        self.expect(browser.run(visible) == total - passed, "the filter does not hide passes")
        browser.type("#search", "late")
        rest = browser.run(visible)
        self.expect(0 < rest < total - passed, f"the search leaves {rest} cases")
        told = browser.run("return document.getElementById('shown').textContent")
        self.expect(told.startswith(f"{rest} of {total}"), f"the search says: {told}")

    def failing_case(self, browser):
        case = next(c for c in self.failing() if c["id"] == "fails-wrong-field")
        name = urllib.parse.quote(f"case/{case['suite']}/{case['id']}")
        browser.open(f"{self.url}#{name}")
        body = f"document.getElementById('case/{case['suite']}/{case['id']}')"
        self.expect(browser.run(f"return {body}.closest('details').open"),
                    "a link to a case does not open it")
        for kind in ("ladder", "timeline"):
            box = browser.run(
                f"const b = {body}.querySelector('svg.{kind}').getBoundingClientRect();"
                "return [b.width, b.height]")
            self.expect(box[0] > 300 and box[1] > 100, f"the {kind} is {box} large")
        drawn = browser.run(
            f"return [...{body}.querySelectorAll('svg.ladder')][0]"
            ".querySelectorAll('path.head').length")
        self.expect(drawn >= 6, f"the ladder has {drawn} arrows")
        parted = browser.run(
            f"return {body}.querySelectorAll('.by-order .divergence').length")
        self.expect(parted == 1, f"the ladder has {parted} divergences")
        browser.run(f"{body}.querySelectorAll('.ladder-figure input')[1].click()")
        shown = browser.run(f"return getComputedStyle({body}.querySelector('.to-scale')).display")
        self.expect(shown == "block", "the ladder cannot be drawn to scale")
        browser.run(f"{body}.querySelectorAll('.ladder-figure input')[0].click()")
        # An arrow leads to its message, whose fields and bytes are then visible.
        browser.run(f"{body}.querySelector('.by-order .divergence').scrollIntoView();"
                    f"const a = [...{body}.querySelectorAll('.by-order a')]"
                    ".find((a) => a.querySelector('.bad'));"
                    "location.hash = a.getAttribute('href')")
        target = "document.getElementById(decodeURIComponent(location.hash.slice(1)))"
        for part in ("table.fields", "pre.hex"):
            seen = browser.run(
                f"return {target}.querySelector('{part}').getClientRects().length")
            self.expect(seen > 0, f"an arrow does not lead to {part}")
        browser.resize(1280, 1400)
        browser.run(f"{body}.closest('details').scrollIntoView()")
        self.shoot(browser, "case")
        browser.resize(1280, 1000)

    def failing_schedule(self, browser):
        """Checks a case whose back-off fails: its plot has the waits of results.json."""
        case = next(c for c in self.failing() if c["id"] == "fails-backoff")
        waits = next(s["schedule"] for s in case["steps"] if s.get("schedule"))
        name = urllib.parse.quote(f"case/{case['suite']}/{case['id']}")
        browser.open(f"{self.url}#{name}")
        plot = (f"document.getElementById('case/{case['suite']}/{case['id']}')"
                ".querySelector('svg.schedule-plot')")
        box = browser.run(f"const b = {plot}.getBoundingClientRect();"
                          "return [b.width, b.height]")
        self.expect(box[0] > 300 and box[1] > 100, f"the failing schedule is {box} large")
        for part, count in (("rect.allowed", len(waits)),
                            (".point", sum("measured" in w for w in waits)),
                            (".point.out", sum(not w["isKept"] for w in waits))):
            drawn = browser.run(f"return {plot}.querySelectorAll('{part}').length")
            self.expect(drawn == count and count > 0,
                        f"the failing schedule has {drawn} of {count} {part}")
        browser.run(f"{plot}.scrollIntoView({{block: 'center'}})")
        self.shoot(browser, "schedule")

    def print_view(self, browser):
        browser.devtools("Emulation.setEmulatedMedia", media="print")
        width = browser.run("return document.documentElement.scrollWidth - innerWidth")
        self.expect(width <= 0, f"on paper the page is {width} points too wide")
        browser.devtools("Emulation.setEmulatedMedia", media="")

    def phone(self, browser):
        browser.resize(390, 844, mobile=True)
        browser.prefer("light")
        browser.open(self.url)
        browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        width = browser.run("return document.documentElement.scrollWidth")
        self.expect(width <= 390, f"on a telephone the page is {width} points wide")
        self.faults += [f"on a telephone {text}" for text in browser.run(CUT)]
        browser.run("document.querySelectorAll('details').forEach((d) => { d.open = false; })")
        browser.run("scrollTo(0, 0)")
        self.shoot(browser, "phone")
        browser.resize(1280, 1000)

    def dark(self, browser):
        browser.prefer("dark")
        case = self.failing()[0]
        browser.open(self.url)
        self.faults += [f"dark, contrast: {text}" for text in browser.run(CONTRAST)]
        name = urllib.parse.quote(f"case/{case['suite']}/{case['id']}")
        browser.open(f"{self.url}#{name}")
        self.faults += [f"dark, contrast: {text}" for text in browser.run(CONTRAST)]
        self.shoot(browser, "dark")

    def case_page(self, browser):
        browser.prefer("light")
        page = next(p for p in sorted(self.folder.joinpath("cases").iterdir())
                    if "schedule-plot\"" in p.read_text())
        browser.open(page.as_uri())
        box = browser.run("const b = document.querySelector('svg.schedule-plot')"
                          ".getBoundingClientRect(); return [b.width, b.height]")
        self.expect(box[0] > 300 and box[1] > 100, f"the schedule is {box} large")
        points = browser.run(
            "return document.querySelectorAll('svg.schedule-plot .point').length")
        self.expect(points >= 3, f"the schedule has {points} points")
        browser.run("document.querySelector('figure.schedule').scrollIntoView()")
        self.shoot(browser, "page")

    def accessible(self, browser):
        """Checks with axe all parts that can be opened: no critical, serious or moderate violation."""
        if not self.axe:
            return
        pages = [self.url] + [p.as_uri() for p in sorted(self.folder.joinpath("cases").iterdir())]
        for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
            browser.prefer(scheme)
            browser.resize(width, 900, mobile=width < 400)
            for page in pages[:1] if width < 400 else pages:
                browser.open(page)
                browser.run(self.axe)
                browser.run(OPEN)
                # In the dark only the colours differ.
                rules = [["color-contrast"]] if scheme == "dark" else []
                for impact, rule, node in browser.run_later(AXE, *rules):
                    self.expect(impact not in ("critical", "serious", "moderate"),
                                f"axe, {scheme}, {width}, {page[-40:]}: {impact}: {rule}: {node}")
        browser.prefer("light")
        browser.resize(1280, 1000)

    def network(self, browser):
        for entry in browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            self.expect(url.startswith(self.folder.as_uri()) or url.startswith("data:"),
                        f"a request goes to {url}")
        for entry in browser.log("browser"):
            self.expect(False, f"the browser complains: {entry['message']}")

    def without_javascript(self, browser):
        browser.open(self.url)
        text = browser.devtools("DOM.getDocument", depth=1)
        self.expect(text["root"]["nodeName"] == "#document", "no document without JavaScript")
        name = urllib.parse.quote("case/sample/fails-missing")
        browser.open(f"{self.url}#{name}")
        shot = browser.devtools("Accessibility.getFullAXTree")["nodes"]
        names = " ".join(str(n.get("name", {}).get("value", "")) for n in shot)
        self.expect("The device does not conform" in names, "no verdict without JavaScript")
        self.expect("Expected and actual" in names,
                    "without JavaScript a link to a case does not open it")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--axe", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    reader = Reader(arguments.folder.resolve(), arguments.screenshots, arguments.axe)
    reader.read()
    for fault in reader.faults:
        print(f"report: {fault}", file=sys.stderr)
    if reader.faults:
        sys.exit(1)
    print("report: no faults")


main()
