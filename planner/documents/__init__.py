"""A plan as a document for people (PDF) and as one object for machines (JSON)."""

from planner.documents.design import pdf
from planner.documents.machine import plan_json

__all__ = ["pdf", "plan_json"]
