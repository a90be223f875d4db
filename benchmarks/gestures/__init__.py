"""What an animator does to a built-in scene, and how its outcome is measured: one file a scene."""
