"""Nouns: what every room shares. Checks, errors and readers of numbers have files of their own."""

from warmer.lazy import lazily as _lazily
from warmer.model.contracts import Array as Array
from warmer.model.contracts import Ball as Ball
from warmer.model.contracts import BatchLearner as BatchLearner
from warmer.model.contracts import Environment as Environment
from warmer.model.contracts import EstimatingLearner as EstimatingLearner
from warmer.model.contracts import Family as Family
from warmer.model.contracts import Fit as Fit
from warmer.model.contracts import Learner as Learner
from warmer.model.contracts import OnlineRegressor as OnlineRegressor
from warmer.model.contracts import RoundLearner as RoundLearner
from warmer.model.contracts import StoppingLearner as StoppingLearner
from warmer.model.history import Answer as Answer
from warmer.model.history import History as History
from warmer.model.history import Runs as Runs
from warmer.model.labels import Label as Label
from warmer.model.labels import Labels as Labels
from warmer.model.labels import Selection as Selection
from warmer.model.problem import Problem as Problem
from warmer.model.tables import Numerators as Numerators
from warmer.model.tables import Table as Table

_lazily(__name__)
