"""Figures: they draw what analysis computed, and compute nothing."""

from warmer.report.figure_style import FORMATS, check_path, save
from warmer.report.lemma_figure import lemma_figure
from warmer.report.page import check_page_path, report_page, save_page
from warmer.report.profile_figure import profile_figure
from warmer.report.regret_figure import draw_regret, regret_figure
from warmer.report.treasure_figure import draw_treasure, treasure_figure
from warmer.report.witness_figure import witness_figure

__all__ = [
    "FORMATS",
    "check_page_path",
    "check_path",
    "draw_regret",
    "draw_treasure",
    "lemma_figure",
    "profile_figure",
    "regret_figure",
    "report_page",
    "save",
    "save_page",
    "treasure_figure",
    "witness_figure",
]
