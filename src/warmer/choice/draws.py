"""What a random draw was made from: kept with the point, because the bet on it rests on nothing else."""

from typing import NamedTuple

import numpy as np

from warmer.model import Array
from warmer.model.errors import InvalidValueError


class Drawn(NamedTuple):
    """A point that was chosen, and the text of the frame it was drawn from; empty where it was not left to chance."""

    point: object
    frame: str


class Frame(NamedTuple):
    """How many points a draw was from, and the models any two of which differed only there among the open points.

    Examples
    --------
    >>> frame = Frame(20, np.array([True, False, True]))
    >>> frame.text, Frame.read(frame.text, 3).covers.tolist()
    ('20:a0', [True, False, True])
    """

    size: int
    covers: Array

    @property
    def text(self) -> str:
        """The frame as a log keeps it: the models in bits, as hexadecimal digits."""
        return f"{self.size}:{np.packbits(self.covers).tobytes().hex()}"

    @classmethod
    def read(cls, text: str, n_models: int) -> "Frame":
        """The frame from its text."""
        try:
            size, digits = text.split(":")
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(digits), np.uint8))
            if len(bits) != 8 * ((n_models + 7) // 8):
                raise ValueError(f"{len(bits)} bits")
            return cls(int(size), bits[:n_models].astype(bool))
        except ValueError as error:
            raise InvalidValueError(f"{text!r} is no frame of {n_models} models ({error}).") from error
