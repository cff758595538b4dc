"""Figures, tables and pages: they show what was computed, and compute nothing. Matplotlib is loaded at first use."""

from warmer.lazy import lazily as _lazily

_HOMES = {
    "dimension_figures": ["plot_profile", "plot_witness"],
    "evidence_figure": ["plot_evidence"],
    "figure_style": ["FORMATS", "check_path", "save"],
    "lemma_figure": ["plot_lemma"],
    "pages.problem": ["check_page_path", "report_page", "save_page"],
    "pages.study": ["study_page"],
    "regret_figure": ["draw_regret", "plot_regret"],
    "templating": ["render"],
    "treasure_figure": ["draw_treasure", "plot_treasure", "treasure_run"],
}
__all__ = sorted(name for names in _HOMES.values() for name in names)
__getattr__ = _lazily(__name__, **_HOMES)


def __dir__() -> list[str]:
    return list(__all__)
