"""Ask and tell for people; and studies, which outlive their process."""

from warmer.studies.opening import create_study, import_study, list_studies, open_study
from warmer.studies.session import Session
from warmer.studies.study import Study

__all__ = ["Session", "Study", "create_study", "import_study", "list_studies", "open_study"]
