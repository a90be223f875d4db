"""From rigs, meshes and clips to glTF's nodes, accessors and samplers."""
