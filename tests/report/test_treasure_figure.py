import numpy as np

from warmer import environments, problems
from warmer.analysis import Comparison
from warmer.report import plot_treasure, treasure_run

ENVIRONMENT = environments.Exact(problems.treasure(side=5), "C2")


def test_the_map_shows_the_warmth_the_visits_and_the_treasure(comparison: Comparison) -> None:
    run = treasure_run(ENVIRONMENT, np.array([0, 24, 24, 7]))
    axes = plot_treasure(run, comparison, title="One run").axes[0]
    np.testing.assert_array_equal(axes.images[0].get_array(), run.warmth)
    treasure, stops = (np.asarray(collection.get_offsets()).tolist() for collection in axes.collections)
    assert treasure == [[2, 1]]
    assert stops == [[0, 0], [4, 4]]  # the last stop is the treasure itself
    numbers = [text.get_text() for text in axes.texts if text.get_text()]
    assert numbers == ["1", "2", "4"]
    assert axes.get_title(loc="left") == "One run"


def test_a_run_that_begins_on_the_spot_has_no_other_visit(comparison: Comparison) -> None:
    axes = plot_treasure(treasure_run(ENVIRONMENT, np.array([7])), comparison, title="").axes[0]
    assert np.asarray(axes.collections[1].get_offsets()).size == 0


def test_rows_and_columns_are_named_as_the_places_are(comparison: Comparison) -> None:
    axes = plot_treasure(treasure_run(ENVIRONMENT, np.array([7])), comparison, title="").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == list("ABCDE")
    assert [label.get_text() for label in axes.get_yticklabels()] == list("12345")
