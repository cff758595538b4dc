"""`python -m tests.browser` says where the browser is; with a PAGE.html it takes its pictures, for a person to look at.

They are written beside the page, as wide as a desk and as a phone.
"""

import sys
from pathlib import Path

from tests.browser.chromium import NO_BROWSER, find_browser, look

if __name__ == "__main__":
    browser = find_browser()
    if browser is None:
        sys.exit(NO_BROWSER)
    print(browser)
    for page in map(Path, sys.argv[1:]):
        for name, width in (("desk", 1280), ("phone", 390)):
            picture = page.with_name(f"{page.stem}-{name}.png")
            print(picture, look(page, width=width, picture=picture))
