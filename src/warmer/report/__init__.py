"""Figures, tables and pages: they show what was computed, and compute nothing. Matplotlib is loaded at first use."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily as _lazily

if TYPE_CHECKING:
    from warmer.report.dimension_figures import plot_profile as plot_profile
    from warmer.report.dimension_figures import plot_witness as plot_witness
    from warmer.report.evidence_figure import plot_evidence as plot_evidence
    from warmer.report.figure_style import FORMATS as FORMATS
    from warmer.report.figure_style import check_path as check_path
    from warmer.report.figure_style import save as save
    from warmer.report.lemma_figure import plot_lemma as plot_lemma
    from warmer.report.pages.problem import check_page_path as check_page_path
    from warmer.report.pages.problem import report_page as report_page
    from warmer.report.pages.problem import save_page as save_page
    from warmer.report.pages.study import study_page as study_page
    from warmer.report.regret_figure import draw_regret as draw_regret
    from warmer.report.regret_figure import plot_regret as plot_regret
    from warmer.report.templating import render as render
    from warmer.report.treasure_figure import draw_treasure as draw_treasure
    from warmer.report.treasure_figure import plot_treasure as plot_treasure
    from warmer.report.treasure_figure import treasure_run as treasure_run

_lazily(__name__)
