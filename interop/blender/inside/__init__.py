"""What runs inside Blender: import or make a scene, tell where everything is, export it again."""
