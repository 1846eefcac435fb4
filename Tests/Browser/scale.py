"""Opens the page of a large run, filters it, and prints the page of a green run.

    python3 Tests/Browser/scale.py LARGE.html GREEN.html

Exits with 1 if something is too large, or takes more than three times as long as it may, because
other tests run at the same time. The best of three measurements counts.
"""

import pathlib
import re
import sys

from webdriver import Browser

BYTES_MAX = 3_000_000
OPEN_MS_MAX = 1000
FILTER_MS_MAX = 100
PAGES_MAX = 4
SLACK = 3

FILTER = """
const search = document.getElementById('search');
const start = performance.now();
search.value = arguments[0];
search.dispatchEvent(new Event('input', {bubbles: true}));
document.body.getBoundingClientRect();
return performance.now() - start;
"""


def opened(browser, url):
    """Returns the milliseconds until a page is completely loaded."""
    browser.open("about:blank")
    browser.open(url)
    return browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd")


def main():
    large, green = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    found = {"bytes": (large.stat().st_size, BYTES_MAX)}
    with Browser() as browser:
        times = [opened(browser, large.as_uri()) for _ in range(3)]
        found["milliseconds to open"] = (min(times), OPEN_MS_MAX)
        for text in ("case-49", "late", ""):
            times = []
            for _ in range(3):
                browser.run(FILTER, "none of them")
                times.append(browser.run(FILTER, text))
            found[f"milliseconds to find {text!r}"] = (min(times), FILTER_MS_MAX)
        browser.open(green.as_uri())
        pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", browser.printed()))
        found["printed pages"] = (pages or PAGES_MAX + 1, PAGES_MAX)
    for what, (value, limit) in found.items():
        print(f"scale: {value:.0f} {what}, {limit} are allowed")
    if any(value > (limit * SLACK if "milliseconds" in what else limit)
           for what, (value, limit) in found.items()):
        sys.exit(1)


main()
