"""The sections of a plan, a subject a file: what a section holds, and how it is computed."""
