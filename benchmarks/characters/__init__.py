"""Characters from the wild: what is recognised of them, and what they bear. `python -m benchmarks.characters [--json]`

Files are those of `../shared/data`. In turn: roles that are right, bones that are stretched, motion on IK handles, and
motion from body to body beside its peers, with the time that it takes.
"""
