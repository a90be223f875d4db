"""Vectors and matrices as tuples, for kernels: they live in registers, so small algebra costs no memory."""
