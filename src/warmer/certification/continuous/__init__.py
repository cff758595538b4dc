"""Certificates for classes of targets that have no table."""

from warmer.certification.continuous.family_certifier import FamilyCertificate, FamilyCertifier, Known

__all__ = ["FamilyCertificate", "FamilyCertifier", "Known"]
