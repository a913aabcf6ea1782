"""Plan to plotly figure: each chart answers one question, its title states the answer."""

from planner.charts.cadence import bandwidth_chart, goodput_chart, stages_chart, waste_chart
from planner.charts.facility import cost_chart, rack_power_chart
from planner.charts.saves import endurance_chart, save_time_chart
from planner.charts.tiers import tiers_chart

__all__ = [
    "bandwidth_chart",
    "cost_chart",
    "endurance_chart",
    "goodput_chart",
    "rack_power_chart",
    "save_time_chart",
    "stages_chart",
    "tiers_chart",
    "waste_chart",
]
