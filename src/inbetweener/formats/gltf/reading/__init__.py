"""From glTF's accessors, nodes and samplers to rigs, meshes and clips."""
