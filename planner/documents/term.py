"""What the storage costs over its term: each kind of cost, for each unit, and against idle GPUs."""

from __future__ import annotations

from reportlab.platypus import Flowable

from planner.core.quantity import Quantity
from planner.documents.parts import bullets, table, topic
from planner.documents.text import clean
from planner.plan import Plan


def over_term(plan: Plan) -> list[Flowable]:
    """Kinds of cost over the term, what they come to for each unit, and what is left out."""
    found = plan.term
    kinds = [
        (line.name, _money(line.low_usd), _money(line.high_usd), clean(line.note)) for line in found.lines
    ]
    kinds.append((f"Together over {found.term_s}", _money(found.low_usd), _money(found.high_usd), ""))
    units = [
        ("For each usable TB", found.per_tb_low_usd.text(), found.per_tb_high_usd.text(), ""),
        ("For each effective TB and month", found.effective_low_usd_per_tb_month.text(),
         found.effective_high_usd_per_tb_month.text(),
         "SNIA's unit, $/TBe/rack/month, as the mean of the racks; effective is what may be filled"),
        ("For each GPU", found.per_gpu_low_usd.text(), found.per_gpu_high_usd.text(), ""),
        ("For each checkpoint", found.per_save_low_usd.text(), found.per_save_high_usd.text(),
         f"idle GPUs meanwhile {found.idle_per_save_usd}"),
    ]  # fmt: skip
    told = [
        f"GPU time lost to saves, restarts and repeated work costs {found.idle_usd} over the same {found.term_s}: "
        f"{found.idle_ratio} what the storage costs at the high end."
    ]
    if found.not_priced:
        told.append(f"Not priced, and left out: {clean(', '.join(found.not_priced))}.")
    return [
        *topic("Over the term", "term"),
        *table(("Cost", "Low", "High", "How"), kinds, (0.28, 0.15, 0.15, 0.42)),
        *table(("Storage", "Low", "High", ""), units, (0.28, 0.15, 0.15, 0.42)),
        *bullets(told),
    ]


def _money(item: Quantity) -> str:
    return item.text() if item.known else "not priced"
