"""The commands of `python -m planner`, a subject a file: their arguments, and what each prints and returns."""
