"""Goals, noise models, evidence against candidates, and certificates."""

from warmer.certification.answers import Answers as Answers
from warmer.certification.certificate import Certificate as Certificate
from warmer.certification.certifier import Certifier as Certifier
from warmer.certification.continuous import FamilyCertificate as FamilyCertificate
from warmer.certification.continuous import FamilyCertifier as FamilyCertifier
from warmer.certification.continuous import Known as Known
from warmer.certification.continuous.certifier_for import certifier_for as certifier_for
from warmer.certification.custom import EvidenceProcess as EvidenceProcess
from warmer.certification.goals import Goal as Goal
from warmer.certification.noise import Noise as Noise
from warmer.certification.noise import Process as Process
from warmer.certification.state import Evidence as Evidence
from warmer.certification.state import Sample as Sample
from warmer.certification.summaries import ParameterSummary as ParameterSummary
from warmer.certification.summaries import parameter_summaries as parameter_summaries
from warmer.certification.weights import Weights as Weights
from warmer.lazy import lazily as _lazily

_lazily(__name__)
