"""Motion as plain numbers, for those who work with NumPy and tables: `.npz`, `.csv`, and documents made of arrays.

An `.npz` holds a skeleton and one clip, sampled; it is read back from what each joint does within its parent. A `.csv`
holds the values of channels alone, so it is read onto a document that has them.
"""

from inbetweener.formats.arrays.build import from_arrays

__all__ = ["from_arrays"]
