"""Workers that are killed at random moments."""

import pytest
from benchmarks.storm import storm


@pytest.mark.long
def test_a_storm_of_kills_loses_nothing_and_doubles_nothing(storage, tmp_path):
    outcome = storm(storage, kills=40, workers=4, folder=tmp_path, pause=0.2)
    assert outcome.lost == outcome.doubled == ()
    assert not outcome.has_gap
    assert 0 < outcome.n_acknowledged <= outcome.n_answers
    assert outcome.n_tailed > 0
