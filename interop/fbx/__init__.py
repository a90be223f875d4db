"""FBX files, read and written, beside ufbx; `python -m interop.fbx` compares."""
