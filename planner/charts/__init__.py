"""Plan to plotly figure: each chart answers one question, its title states the answer."""

from planner.charts.facility import cost_chart, rack_power_chart
from planner.charts.saves import endurance_chart, save_time_chart
from planner.charts.tiers import tiers_chart

__all__ = ["cost_chart", "endurance_chart", "rack_power_chart", "save_time_chart", "tiers_chart"]
