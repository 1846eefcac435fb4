"""A browser that is driven by the W3C WebDriver protocol; needs chromedriver and no PyPI package."""

import base64
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """Headless Chromium, in a session of its own."""

    def __init__(self, width=1280, height=900, javascript=True):
        # The caller may have blocked signals; a driver that inherits this mask cannot be terminated.
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                     "--disable-background-networking", f"--window-size={width},{height}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        if not javascript:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                        "goog:loggingPrefs": {"browser": "ALL",
                                                              "performance": "ALL"}}}
        try:
            deadline = time.monotonic() + 60
            while self.session is None:
                try:
                    answer = self.call("POST", "/session", {"capabilities": capabilities})
                    self.session = answer["sessionId"]
                except (ConnectionError, urllib.error.URLError):
                    if time.monotonic() > deadline or self.driver.poll() is not None:
                        raise
                    time.sleep(0.05)
        except BaseException:
            self.driver.kill()
            raise

    def __enter__(self):
        self.call("POST", self.path("/timeouts"), {"script": 120000, "pageLoad": 120000})
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.path(""))
        finally:
            self.driver.terminate()
            try:
                self.driver.wait(5)
            except subprocess.TimeoutExpired:
                self.driver.kill()
                self.driver.wait()

    def path(self, rest):
        return f"/session/{self.session}{rest}"

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:400]}") from None

    def open(self, url):
        self.call("POST", self.path("/url"), {"url": url})

    def run(self, script, *arguments):
        return self.call("POST", self.path("/execute/sync"),
                         {"script": script, "args": list(arguments)})

    def run_later(self, script, *arguments):
        """Runs a script that calls its last argument with the result."""
        return self.call("POST", self.path("/execute/async"),
                         {"script": script, "args": list(arguments)})

    def printed(self):
        """Returns the page as PDF."""
        return base64.b64decode(self.call("POST", self.path("/print"), {}))

    def devtools(self, command, **parameters):
        return self.call("POST", self.path("/goog/cdp/execute"),
                         {"cmd": command, "params": parameters})

    def find(self, css):
        return self.call("POST", self.path("/element"),
                         {"using": "css selector", "value": css})[ELEMENT]

    def type(self, css, text):
        self.call("POST", self.path(f"/element/{self.find(css)}/value"), {"text": text})

    def click(self, css):
        self.call("POST", self.path(f"/element/{self.find(css)}/click"), {})

    def resize(self, width, height, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=mobile)

    def prefer(self, scheme):
        self.devtools("Emulation.setEmulatedMedia",
                      features=[{"name": "prefers-color-scheme", "value": scheme},
                                {"name": "prefers-reduced-motion", "value": "reduce"}])

    def log(self, kind):
        return self.call("POST", self.path("/se/log"), {"type": kind})

    def screenshot(self, path):
        picture = self.call("GET", self.path("/screenshot"))
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))
