"""Goals, noise models, evidence against candidates, and certificates."""

from warmer.certification.answers import Answers
from warmer.certification.certificate import Certificate
from warmer.certification.certifier import Certifier
from warmer.certification.continuous import FamilyCertificate, FamilyCertifier, Known
from warmer.certification.continuous.certifier_for import certifier_for
from warmer.certification.custom import EvidenceProcess
from warmer.certification.goals import Goal
from warmer.certification.noise import Noise, Process
from warmer.certification.state import Evidence, Sample
from warmer.certification.summaries import ParameterSummary, parameter_summaries
from warmer.certification.weights import Weights

__all__ = [
    "Answers",
    "Certificate",
    "Certifier",
    "Evidence",
    "EvidenceProcess",
    "FamilyCertificate",
    "FamilyCertifier",
    "Goal",
    "Known",
    "Noise",
    "ParameterSummary",
    "Process",
    "Sample",
    "Weights",
    "certifier_for",
    "parameter_summaries",
]
