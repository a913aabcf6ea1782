"""Measurements: what storage tools print, as records of one form."""

from planner.telemetry.reading import KINDS, Reading, read_measurements
from planner.telemetry.records import QUANTITIES, Record

__all__ = ["KINDS", "QUANTITIES", "Reading", "Record", "read_measurements"]
