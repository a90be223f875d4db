"""Inbetweener beside other programs: what they make of our files, and we of theirs."""
