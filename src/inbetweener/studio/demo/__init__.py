"""The demo: the exercise that the Studio exists for, done by a scripted hand against the real server."""
