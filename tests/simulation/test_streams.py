"""Philox in its compiled form against NumPy's, against the published test vectors, and against its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer.simulation.engine import kernels
from warmer.simulation.streams import ENVIRONMENT, LEARNER, key_of, stream

WORDS = st.integers(0, 2**64 - 1)
ALL = 2**64 - 1

# Random123's kat_vectors: philox4x64, 10 rounds
PUBLISHED = [
    ([0] * 4, [0] * 2, [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]),
    ([ALL] * 4, [ALL] * 2, [0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0]),
    (
        [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89],
        [0x452821E638D01377, 0xBE5466CF34E90C6C],
        [0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6],
    ),
]


def plain_block(key, counter):
    """Ten rounds of two multiplications, as the paper has them."""
    k0, k1 = key
    c0, c1, c2, c3 = counter
    for _ in range(10):
        first, second = 0xD2E7470EE14C6C93 * c0, 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (second >> 64) ^ c1 ^ k0, second & ALL, (first >> 64) ^ c3 ^ k1, first & ALL
        k0, k1 = (k0 + 0x9E3779B97F4A7C15) & ALL, (k1 + 0xBB67AE8584CAA73B) & ALL
    return [c0, c1, c2, c3]


def compiled_block(key, counter):
    words = np.empty(4, dtype=np.uint64)
    kernels.philox.block(np.array(key, dtype=np.uint64), np.array(counter, dtype=np.uint64), words)
    return words.tolist()


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED, ids=["zeros", "ones", "pi"])
def test_a_block_is_the_published_one(counter, key, words):
    assert compiled_block(key, counter) == plain_block(key, counter) == words


@given(st.lists(WORDS, min_size=2, max_size=2), st.lists(WORDS, min_size=4, max_size=4))
def test_a_block_is_what_the_definition_says(key, counter):
    assert compiled_block(key, counter) == plain_block(key, counter)


@given(st.integers(0, 10**12), st.integers(0, 10**9), st.sampled_from([LEARNER, ENVIRONMENT]))
def test_compiled_runs_draw_the_numbers_of_the_plain_stream(seed, run, role):
    key, words = key_of(seed), np.empty(4, dtype=np.uint64)
    counter = np.array([0, role, run, 0], dtype=np.uint64)
    drawn = [kernels.philox.uniform(key, counter, words, n) for n in range(11)]
    assert drawn == stream(key, run, role).random(11).tolist()


def test_streams_of_different_seeds_runs_and_roles_differ():
    firsts = {
        stream(key_of(seed), run, role).random()
        for seed in range(5)
        for run in range(200)
        for role in (LEARNER, ENVIRONMENT)
    }
    assert len(firsts) == 2000
