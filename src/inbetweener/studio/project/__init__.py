"""The project: a folder of files, what was opened lately, and the journals that keep work nobody has saved."""
