"""Our glTF files seen from Blender, and Blender's seen from here; `python -m interop.blender` compares.

Everything but `inside/` runs in the project's own environment. `inside/` runs in Blender's, and knows nothing of ours.
"""
