import numpy as np

from warmer import LeastSquares, environments, problems, simulate
from warmer.claims import analyse_trace
from warmer.report import plot_lemma


def traced(horizon, epsilon=0.5):
    problem = problems.needle(n_arms=6)
    runs = simulate(LeastSquares(problem, alpha=1.0), environments.Exact(problem, 4), horizon=horizon, seed=0)
    return analyse_trace(runs, alpha=1.0, epsilon=epsilon)


def test_good_and_bad_rounds_are_dots_among_the_intervals():
    left, right = plot_lemma(traced(6), title="Six rounds").axes
    good, bad = (np.asarray(dots.get_offsets()).tolist() for dots in left.collections)
    assert good == [[5, 1], [6, 1]]
    assert bad == [[1, 0], [2, 0], [3, 0], [4, 0]]
    assert left.get_title(loc="left") == "Six rounds"
    assert [text.get_text() for text in left.texts] == ["4 of at most 5"]
    assert right.get_title(loc="left") == "Fullest interval: 6 edges,\nlargest clique 4"


def test_the_clique_is_drawn_with_its_edges():
    right = plot_lemma(traced(6), title="").axes[1]
    others, inside = right.collections[:2]
    assert (len(others.get_segments()), len(inside.get_segments())) == (0, 6)


def test_a_run_without_a_bad_query_has_an_empty_graph():
    right = plot_lemma(traced(6, epsilon=3.0), title="").axes[1]
    assert (right.get_title(loc="left"), len(right.collections)) == ("No bad query", 0)
