"""The TSK stack in pure torch: parameters, firing levels, batch normalisation, closed-form gradients, merged rules.

Names load when first used: ``model.firing`` needs no torch, and explaining takes only that.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
