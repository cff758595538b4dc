"""An instrument that answers a study through `warmer serve`: ask, measure, tell, until the goal is proven.

WARMER_KEY=... python examples/instrument.py http://127.0.0.1:8765 weather
"""

import json
import os
import sys
from urllib.request import Request, urlopen


def call(address: str, body: dict | None = None) -> dict:
    headers = {"Authorization": f"Bearer {os.environ['WARMER_KEY']}", "Content-Type": "application/json"}
    with urlopen(Request(address, None if body is None else json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def measure(query: str) -> float:
    return float(input(f"{query}: "))  # here the instrument does its work


if __name__ == "__main__":
    study = f"{sys.argv[1]}/api/v1/studies/{sys.argv[2]}"
    while not call(study)["certificate"]["is_proven"]:
        [ticket] = call(f"{study}/ask", {"lease": 600})["tickets"]
        call(f"{study}/tell", {"ticket": ticket["number"], "reward": measure(ticket["query"])})
    print(call(study)["certificate"]["statement"])
