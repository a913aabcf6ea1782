"""Plan to plotly figure: each chart answers one question, its title states the answer."""

from planner.charts.cadence import bandwidth_chart, goodput_chart, stages_chart, waste_chart
from planner.charts.facility import cost_chart, rack_power_chart
from planner.charts.kit import day_chart, ladder_chart, schemes_chart
from planner.charts.kit_site import feeds_chart, term_chart
from planner.charts.saves import endurance_chart, save_time_chart
from planner.charts.tiers import tiers_chart

__all__ = [
    "bandwidth_chart",
    "cost_chart",
    "day_chart",
    "endurance_chart",
    "feeds_chart",
    "goodput_chart",
    "ladder_chart",
    "rack_power_chart",
    "save_time_chart",
    "schemes_chart",
    "stages_chart",
    "term_chart",
    "tiers_chart",
    "waste_chart",
]
