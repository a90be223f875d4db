"""Where a chain's goal and pole are, seen from the joint that carries it."""
