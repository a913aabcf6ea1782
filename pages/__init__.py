"""The screens: each file takes inputs, calls the planner and shows what it says."""
