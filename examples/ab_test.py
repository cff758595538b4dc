"""An A/B test of 20 variants: visitors buy or do not, and it ends with a proof."""

import numpy as np

import warmer
from warmer import goals, noise
from warmer.families import KArms


def main() -> None:
    rng = np.random.default_rng(0)
    variants = [f"variant {number}" for number in range(1, 21)]
    chances = dict(zip(variants, rng.permutation(np.linspace(0.1, 0.9, 20)), strict=True))  # known to nobody
    test = KArms(20, labels=variants, reward_range=(0, 1))
    session = warmer.Session(test, goal=goals.BestQuery(0.05), noise=noise.Coin(), delta=0.05)
    while not (certificate := session.certificate()):
        for variant in session.ask(10):  # ten visitors at a time
            session.tell(variant, float(rng.random() < chances[variant]))
    low, high = certificate.intervals[certificate.answer]
    print(f"{len(session.history)} visitors; {certificate}.")
    print(f"Its chance is between {low:.2f} and {high:.2f}; in truth it is {chances[certificate.answer]:.3f}.")
    print(session.certificate(goals.BestAbove(0.7)))


if __name__ == "__main__":
    main()
