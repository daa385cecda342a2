"""A real browser for tests: Chromium without a screen, driven through its debugging pipe.

    with Browser() as browser:
        browser.open("/tmp/report.html", width=400, theme="dark")
        browser.evaluate("document.title")
"""

import base64
import itertools
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find():
    """The program, $BROWSER_PROGRAM or one in PATH; None where there is none."""
    return os.environ.get("BROWSER_PROGRAM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self, seconds=60):
        self.seconds, self.numbers, self.rest = seconds, itertools.count(1), b""
        # Chromium makes a Unix socket below TMPDIR, and a socket's path has at most 107 characters.
        self.folder = tempfile.mkdtemp(prefix="iorx-browser.", dir="/tmp")
        command_out, self.commands = os.pipe()
        self.answers, answer_in = os.pipe()
        arguments = [find(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
                     "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-extensions", "--disable-background-networking",
                     f"--user-data-dir={self.folder}", "about:blank"]
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{command_out} 4>&{answer_in}', "sh"] + arguments,
            pass_fds=(command_out, answer_in), stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, env={**os.environ, "TMPDIR": self.folder})
        os.close(command_out)
        os.close(answer_in)
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one for one in targets if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def messages(self, until):
        while True:
            while b"\0" in self.rest:
                line, self.rest = self.rest.split(b"\0", 1)
                yield json.loads(line)
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise TimeoutError(f"no answer of the browser in {self.seconds} s")
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.rest += data

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        for answer in self.messages(time.monotonic() + self.seconds):
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path, width=1100, theme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": theme}])
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        until = time.monotonic() + self.seconds
        while self.evaluate("document.readyState") != "complete":
            if time.monotonic() > until:
                raise TimeoutError(path)
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def printed_pages(self):
        """On how many A4 pages the page would be printed."""
        answer = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)
        return len(re.findall(rb"/Type /Page\b", base64.b64decode(answer["data"])))

    def picture(self, path):
        """The whole page as a PNG file."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                           clip={"x": 0, "y": 0, "width": size["width"],
                                 "height": min(size["height"], 16000), "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))
