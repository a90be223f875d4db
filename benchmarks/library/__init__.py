"""A judge of captured motion: how few keys hold it how nearly, beside other programs, by an evaluator of its own."""
