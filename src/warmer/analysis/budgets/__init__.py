"""How many queries a task takes: guarantees, simulation, and lower bounds."""

from warmer.analysis.budgets.budget import LEARNERS as LEARNERS
from warmer.analysis.budgets.budget import Budget as Budget
from warmer.analysis.budgets.budget import budget as budget
from warmer.analysis.budgets.limits import Limits as Limits
from warmer.analysis.budgets.limits import Need as Need
from warmer.analysis.budgets.lower_bounds import MOST_PAIRED as MOST_PAIRED
from warmer.analysis.budgets.lower_bounds import ManyTargetsBound as ManyTargetsBound
from warmer.analysis.budgets.lower_bounds import TwoTargetsBound as TwoTargetsBound
from warmer.analysis.budgets.lower_bounds import many_targets_bound as many_targets_bound
from warmer.analysis.budgets.lower_bounds import two_targets_bound as two_targets_bound
from warmer.analysis.budgets.trials import CERTIFIABLE as CERTIFIABLE
from warmer.analysis.budgets.trials import MOST_TRUTHS as MOST_TRUTHS
from warmer.analysis.budgets.trials import Trials as Trials
from warmer.analysis.budgets.trials import simulate_candidates as simulate_candidates
from warmer.lazy import lazily as _lazily

_lazily(__name__)
