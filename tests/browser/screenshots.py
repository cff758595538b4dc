"""`python -m tests.browser.screenshots`: the pictures in `docs/`, of the pages of `warmer serve` and of a report."""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from tests.browser.driven import Browser
from tests.browser.served import served
from warmer import Problem, create_study, goals, noise
from warmer.analysis import Task, analyse_problem
from warmer.report import report_page, save_page

TEMPERATURES, ACIDITIES = (25, 30, 37, 45, 55), (5, 6, 7, 8)
SHOTS = {
    "studies-desk": ("/", 1280, 620, False),
    "study-desk": ("/studies/Enzyme activity", 1280, 1500, False),
    "study-dark": ("/studies/Enzyme activity", 1280, 1500, True),
    "study-phone": ("/studies/Enzyme activity", 390, 1500, False),
    "candidates-desk": ("/studies/Enzyme activity/candidates", 1280, 900, False),
    "explore-desk": ("/studies/Enzyme activity/explore", 1280, 1900, False),
    "explore-phone": ("/studies/Enzyme activity/explore", 390, 1500, True),
}
"""Address, width, height and whether it is dark."""


REPORTS = {
    "report-desk": (1280, 2600, False),
    "report-dark": (1280, 2600, True),
    "report-phone": (390, 2600, True),
}
"""Width, height and whether it is dark."""

FOLDER = Path(__file__).parents[2] / "docs" / "_static" / "pages"


def main(folder: Path = FOLDER) -> None:
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{place}/lab.db"
        laboratory(url)
        report = Path(place) / "report.html"
        analysed = analyse_problem(enzymes(), Task(5, 0.05, 8), runs=10, horizon=200, time_limit=20)
        save_page(report_page(analysed, source="enzymes.csv", made_by="warmer report enzymes.csv"), report)
        with served(url, "--write") as link, Browser() as browser:
            browser.open(link)
            for name, (path, width, height, is_dark) in SHOTS.items():
                browser.size(width, height)
                browser.dark(is_dark)
                browser.open(link.partition("/?")[0] + path.replace(" ", "%20"))
                wait = "document.body.innerText.includes('probably')" if path.endswith("activity") else "true"
                browser.until(f"{wait} && !document.body.innerText.includes('working it out')")
                time.sleep(0.5)  # until bars have grown
                take(browser, folder / f"{name}.png")
            for name, (width, height, is_dark) in REPORTS.items():
                browser.size(width, height)
                browser.dark(is_dark)
                browser.open(report.as_uri())
                take(browser, folder / f"{name}.png")


def take(browser: Browser, path: Path) -> None:
    browser.picture(path, whole=False)
    shrink(path)
    print(path)


def laboratory(url: str) -> None:
    """Three studies: one in the middle of its work, one proven, one not begun."""
    table = enzymes()
    fill(url, "Best antibody", table, goals.WhichTarget(), truth=7, n=60)
    create_study("Growth medium", table, goal=goals.WhichTarget(), noise=noise.SubGaussian(8), storage=url).close()
    fill(url, "Enzyme activity", table, goals.BestQuery(5), truth=11, n=7, tickets=2)


def enzymes() -> Problem:
    """Sixty models of how warm and how sour an enzyme likes it."""
    rng = np.random.default_rng(1)
    where = [(heat, acid) for heat in TEMPERATURES for acid in ACIDITIES]
    columns = []
    for _ in range(60):
        heat, acid, width, height = rng.uniform(25, 55), rng.uniform(5, 8), rng.uniform(6, 20), rng.uniform(40, 95)
        columns.append([height * np.exp(-(((h - heat) / width) ** 2) - ((a - acid) / 1.3) ** 2) for h, a in where])
    return Problem.from_table(
        np.array(columns).T,
        queries=[f"{heat} C, pH {acid}" for heat, acid in where],
        targets=[f"M{number}" for number in range(1, 61)],
        reward_range=(-20, 120),
    )


def fill(url: str, name: str, table: Problem, goal: object, *, truth: int, n: int, tickets: int = 0) -> None:
    rng = np.random.default_rng(2)
    with create_study(name, table, goal=goal, noise=noise.SubGaussian(8), unit="U/mg", storage=url) as study:
        for number in range(n):
            if study.is_settled:
                break
            [ticket] = study.ask(worker=("Ada", "Bo")[number % 2])
            mean = table.rho[table.queries.position(ticket.query), truth]
            study.tell(ticket, float(np.round(mean + rng.normal(0, 8), 1)), author=ticket.worker)
        if tickets:
            study.ask(tickets, worker="Ada")


def shrink(path: Path) -> None:
    """Few colours are enough for pages, and make small files."""
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
