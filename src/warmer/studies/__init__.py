"""Ask and tell for people; and studies, which outlive their process."""

from warmer.studies.choice_study import ChoiceStudy
from warmer.studies.opening import create_study, import_study, list_studies, open_choice_study, open_study
from warmer.studies.session import Session
from warmer.studies.study import Study

__all__ = [
    "ChoiceStudy",
    "Session",
    "Study",
    "create_study",
    "import_study",
    "list_studies",
    "open_choice_study",
    "open_study",
]
