"""Compiled loops over candidates: arrays in, arrays and numbers out."""

from typing import TYPE_CHECKING

from warmer.lazy import lazily

if TYPE_CHECKING:
    from warmer.certification.kernels import evidence as evidence
    from warmer.certification.kernels import nearest as nearest
    from warmer.certification.kernels import objectors as objectors
    from warmer.certification.kernels import one_sided as one_sided
    from warmer.certification.kernels import steps as steps

__all__: list[str] = []

__getattr__ = lazily(__name__, "evidence", "nearest", "objectors", "one_sided", "steps")
