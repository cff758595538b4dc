"""Figures, tables and pages: they show what was computed, and compute nothing. Matplotlib is loaded at first use."""

from warmer.lazy import lazily as _lazily

__all__ = [
    "FORMATS",
    "check_page_path",
    "check_path",
    "draw_regret",
    "draw_treasure",
    "plot_evidence",
    "plot_lemma",
    "plot_profile",
    "plot_regret",
    "plot_treasure",
    "plot_witness",
    "render",
    "report_page",
    "save",
    "save_page",
    "study_page",
]

__getattr__ = _lazily(
    __name__,
    evidence_figure=["plot_evidence"],
    figure_style=["FORMATS", "check_path", "save"],
    lemma_figure=["plot_lemma"],
    profile_figure=["plot_profile"],
    regret_figure=["draw_regret", "plot_regret"],
    templating=["render"],
    treasure_figure=["draw_treasure", "plot_treasure"],
    witness_figure=["plot_witness"],
    **{"pages.problem": ["check_page_path", "report_page", "save_page"], "pages.study": ["study_page"]},
)


def __dir__() -> list[str]:
    return sorted(__all__)
