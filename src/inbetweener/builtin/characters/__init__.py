"""Characters made by code: each file makes one document with rig and mesh, and no clip."""
