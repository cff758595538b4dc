"""Words, figures and pages: they show what analysis computed, and compute nothing."""

from warmer.model.lazy import lazily

__all__ = [
    "FORMATS",
    "check_page_path",
    "check_path",
    "draw_regret",
    "draw_treasure",
    "plot_lemma",
    "plot_profile",
    "plot_regret",
    "plot_treasure",
    "plot_witness",
    "report_page",
    "save",
    "save_page",
]

__getattr__ = lazily(
    __name__,
    *("wording", "budget_words", "treasure", "figure_style", "profile_figure", "regret_figure", "witness_figure"),
    *("lemma_figure", "treasure_figure", "page"),
)
