"""Ask and tell for people; and studies, which outlive their process."""

from warmer.lazy import lazily as _lazily
from warmer.studies.choice_study import ChoiceStudy as ChoiceStudy
from warmer.studies.opening import create_study as create_study
from warmer.studies.opening import import_study as import_study
from warmer.studies.opening import list_studies as list_studies
from warmer.studies.opening import open_choice_study as open_choice_study
from warmer.studies.opening import open_study as open_study
from warmer.studies.session import Session as Session
from warmer.studies.study import Study as Study

_lazily(__name__)
