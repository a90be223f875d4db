"""Weights for a bare mesh on a skeleton: heat that flows over the skin from the bones beneath it."""

from inbetweener.skinning.automatic.bind import bind, heat_weights

__all__ = ["bind", "heat_weights"]
