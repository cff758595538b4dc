"""A look at the report in a real browser: `python -m benchmarks page`.

It writes a page, has Chromium render it at the width of a desk and of a phone, checks that nothing is wider than the
screen and that nothing was fetched, and keeps the two pictures for a person to look at.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from warmer.cli import main as warmer

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PROBE = """<body style="margin:0"><iframe id="page" src="page.html" style="width:{width}px;height:{height}px;border:0">
</iframe><script>onload = () => {{ const page = document.getElementById("page").contentWindow;
const fetched = page.performance.getEntriesByType("resource").filter(entry => !entry.name.startsWith("data:"));
document.title = page.document.documentElement.scrollWidth + " " + fetched.length; }};</script>"""


def main() -> None:
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    if browser is None:
        print(f"page: no browser found (looked for {', '.join(NAMES)}); install chromium to look at the report.")
        return
    folder = Path(tempfile.mkdtemp(prefix="warmer-page-"))
    line = f"report treasure:side=5 -o {folder / 'page.html'} --sigma 0.5 --horizon 300 --runs 10 --time-limit 20"
    if warmer(line.split()) != 0:
        raise SystemExit(1)
    for name, width, height in (("desk", 1280, 4200), ("phone", 390, 5600)):
        probe = folder / f"{name}.html"
        probe.write_text(PROBE.format(width=width, height=height))
        window = f"--window-size={max(500, width)},{height}"
        address = f"file://{probe}"
        dumped = _run(browser, "--allow-file-access-from-files", window, "--dump-dom", address)
        found = re.search(r"<title>(\d+) (\d+)</title>", dumped)
        wide, n_fetched = map(int, found.groups()) if found else (-1, -1)
        _run(browser, window, f"--screenshot={folder / name}.png", address)
        verdict = "fits" if 0 < wide <= width else "DOES NOT FIT"
        print(f"page: {name}, {width} px: content {wide} px wide, {verdict}; files besides the page: {n_fetched}")
    print(f"page: look at {folder / 'desk.png'} and {folder / 'phone.png'}")


def _run(browser: str, *options: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *QUIET, f"--user-data-dir={profile}", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout


if __name__ == "__main__":
    main()
