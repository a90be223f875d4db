"""IK handles: target and pole channels that turn the joints of a chain."""
