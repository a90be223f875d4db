"""One page of our own runs: every scene before and after, its curves, and figures beside papers' claims."""
