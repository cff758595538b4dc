"""History against truth: regret, bad queries, estimation error, comparisons, budgets."""

from warmer.analysis.budgets import Budget as Budget
from warmer.analysis.budgets import budget as budget
from warmer.analysis.comparison import compare as compare
from warmer.analysis.comparison import draw_targets as draw_targets
from warmer.analysis.evidence_history import EvidenceHistory as EvidenceHistory
from warmer.analysis.evidence_history import evidence_history as evidence_history
from warmer.analysis.evidence_history import simulated_evidence as simulated_evidence
from warmer.analysis.neighbourhood import neighbours as neighbours
from warmer.analysis.outcomes import Comparison as Comparison
from warmer.analysis.outcomes import Outcome as Outcome
from warmer.analysis.outcomes import RegretBound as RegretBound
from warmer.analysis.problem_report import ProblemReport as ProblemReport
from warmer.analysis.problem_report import analyse_problem as analyse_problem
from warmer.analysis.run_statistics import Interval as Interval
from warmer.analysis.run_statistics import bad_queries as bad_queries
from warmer.analysis.run_statistics import cumulative_regret as cumulative_regret
from warmer.analysis.run_statistics import estimation_errors as estimation_errors
from warmer.analysis.run_statistics import has_large_self_evaluations as has_large_self_evaluations
from warmer.analysis.run_statistics import success_rate as success_rate
from warmer.analysis.task import Task as Task
from warmer.lazy import lazily as _lazily

_lazily(__name__)
