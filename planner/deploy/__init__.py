"""A design handed over as files: switches, hosts, targets, training, monitoring and acceptance tests."""

from planner.deploy.addressing import Addressing, addressing_from_json
from planner.deploy.bundle import bundle

__all__ = ["Addressing", "addressing_from_json", "bundle"]
