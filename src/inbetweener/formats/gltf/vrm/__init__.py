"""VRM: what its files say of bodies, faces and hair beyond glTF, read and written; and VRM animation."""
