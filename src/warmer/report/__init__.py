"""Figures: they draw what analysis computed, and compute nothing."""

from warmer.report.canvas import FORMATS, check_path, save
from warmer.report.curves import draw_regret, regret_figure
from warmer.report.hunt import draw_hunt, hunt_figure
from warmer.report.page import check_page_path, report_page, save_page
from warmer.report.profile import profile_figure
from warmer.report.trace import trace_figure
from warmer.report.witness import witness_figure

__all__ = [
    "FORMATS",
    "check_page_path",
    "check_path",
    "draw_hunt",
    "draw_regret",
    "hunt_figure",
    "profile_figure",
    "regret_figure",
    "report_page",
    "save",
    "save_page",
    "trace_figure",
    "witness_figure",
]
