"""The formulas, a subject a file: plain numbers in, plain numbers out, for one design or a million."""
