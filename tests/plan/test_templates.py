"""The worked designs: each is planned, and the guide's own two agree with arithmetic done by hand."""

from __future__ import annotations

import json
import math

import pytest

from planner.catalogue import default_folder, load_catalogue
from planner.core.errors import PlannerError
from planner.core.quantity import input_label
from planner.documents.explained import used_figures
from planner.plan import Plan
from planner.scenario_json import scenario_from_dict
from planner.summary import headline, key_figures
from planner.templates import Template, template, templates
from tests.plan.changes import EVIDENCE, GUIDE, codes, plain, planned, shipped

by_template = pytest.mark.parametrize("item", templates(), ids=lambda item: item.id)


def close(value: float) -> object:
    return pytest.approx(value, rel=1e-9)


@by_template
def test_each_template_is_planned(item: Template) -> None:
    result = shipped(item.id)
    figures = key_figures(result)
    assert all(figure.known for name, figure in figures.items()), figures
    assert result.main.save.save_s.number > 0
    assert 0.5 < result.main.goodput.goodput_fraction.number < 1
    words = headline(result)
    assert result.main.job.checkpoint.size_bytes.text() in words
    assert "unknown" not in words


@by_template
def test_every_figure_and_every_input_of_it_has_a_name(item: Template) -> None:
    for figure in used_figures(shipped(item.id)):
        names = [figure.label, *(input_label(*pair) for pair in (figure.inputs or {}).items())]
        assert not {name.strip().casefold() for name in names} & {"", "none", "nothing", "nan"}, figure


@by_template
def test_a_template_is_met_by_its_own_design_unless_it_shows_a_failure(item: Template) -> None:
    result = shipped(item.id)
    blocked = sorted(finding.code for finding in result.findings if finding.severity == "blocker")
    if item.id == GUIDE:
        assert "END-1" in blocked
    else:
        assert blocked == []
        assert result.main.save.save_s.number <= result.main.job.checkpoint.target_s.number * (1 + 1e-9)


def test_templates_have_ids_names_and_purposes() -> None:
    items = templates()
    assert len(items) >= 11
    assert len({item.id for item in items}) == len(items)
    assert len({item.name for item in items}) == len(items)
    assert all(item.purpose.endswith(".") for item in items)
    assert [item.id for item in items][:2] == [EVIDENCE, GUIDE]


def test_the_files_hold_nothing_that_is_not_read() -> None:
    files = sorted((default_folder() / "templates").glob("*.json"))
    assert len(files) == len(templates())
    for path, item in zip(files, templates(), strict=True):
        content = json.loads(path.read_text(encoding="utf-8"))
        assert set(content) == {"purpose", "scenario"}
        assert scenario_from_dict(content["scenario"]) == item.scenario


def test_a_wrong_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(PlannerError, match="no template “guide-256-guid”; did you mean guide-256-guide"):
        template("guide-256-guid")
    with pytest.raises(PlannerError, match="one of guide-256-evidence, "):
        template("zzz")


# --- the guide's own example, by its figures -----------------------------------------------------

# 70e9 parameters x 4 bytes.
GUIDE_CHECKPOINT = 280e9
# One every 30 minutes.
SAVES = 86_400 / 1800
# 3 TB usable with 8 + 2: 3 x 10 / 8.
RAW = 3.75e12


@pytest.fixture(scope="module")
def by_guide() -> Plan:
    return shipped(GUIDE)


def test_guide_cluster(by_guide: Plan) -> None:
    assert by_guide.cluster.node_count.number == 64
    assert by_guide.cluster.gpu_count.number == 256
    assert by_guide.scenario.basis == "guide"


def test_guide_checkpoint(by_guide: Plan) -> None:
    checkpoint = by_guide.main.job.checkpoint
    assert checkpoint.size_bytes.number == GUIDE_CHECKPOINT
    assert checkpoint.shard_bytes.number == close(280e9 / 64)
    assert checkpoint.saves_per_day.number == close(48)
    assert checkpoint.target_s.number == 10
    assert checkpoint.required_write_bytes_per_s.number == close(28e9)
    assert checkpoint.retained_bytes.number == close(6 * 280e9)
    assert checkpoint.guide_capacity_bytes.number == 2.5e12


def test_guide_endurance(by_guide: Plan) -> None:
    wear = by_guide.endurance
    assert wear.daily_write_bytes_per_day.number == close(13.44e12)
    assert wear.yearly_write_bytes_per_year.number == close(13.44e12 * 365)
    assert wear.drive_write_bytes_per_day.number == close(13.44e12 * 1.25)
    assert wear.allowance_bytes_per_day.number == close(RAW * 3)
    assert wear.needed_usable_bytes.number == close(4.48e12)
    assert wear.needed_raw_bytes.number == close(5.6e12)
    # 3 DWPD for 5 years, used up at 16.8 / 11.25 of that pace.
    assert wear.rated_life_s.number == close(5 * 365 * 86_400 * 11.25 / 16.8)
    assert wear.check.verdict == "fail"


def test_guide_pool(by_guide: Plan) -> None:
    hot = by_guide.hot
    assert hot.usable_bytes.number == 3e12
    assert hot.raw_bytes.number == close(RAW)
    assert hot.safe_bytes.number == close(3e12 / 1.3)
    # Drives of 800 GB: 3.75 / 0.8 are 4.69.
    assert hot.drive_count.number == math.ceil(RAW / 800e9)
    assert hot.safe_bytes.number > 6 * 280e9


def test_guide_prices(by_guide: Plan) -> None:
    cost = by_guide.cost
    rows = [(row.low_usd.number, row.high_usd.number) for row in cost.tiers]
    assert rows == [(3 * 200, 3 * 500), (50 * 150, 50 * 350), (200 * 20, 200 * 60)]
    assert (cost.capital_low_usd.number, cost.capital_high_usd.number) == (12_100, 31_000)
    assert cost.not_priced_count == 0


def test_guide_tiers_hold_the_workload_once(by_guide: Plan) -> None:
    hot, files, objects = by_guide.tiers
    assert hot.demand.content_bytes.number == close(6 * GUIDE_CHECKPOINT)
    assert files.demand.content_bytes.number == 35e12
    # 14 days of every checkpoint, and no raw data.
    assert objects.demand.content_bytes.number == close(14 * SAVES * GUIDE_CHECKPOINT)


def test_guide_network(by_guide: Plan) -> None:
    network = by_guide.network
    assert network.transport.value == "rdma"
    assert network.topology.value == "single-leaf"
    assert network.separate.value == "separate"
    assert network.fabric_bits_per_s.number == close(28e9 * 8)
    # 4.375 GB a node in 10 s.
    assert network.node_need_bytes_per_s.number == close(280e9 / 64 / 10)


# --- the same cluster on evidence ----------------------------------------------------------------

PARAMETERS = 70_553_706_496
SIZE = PARAMETERS * 14


@pytest.fixture(scope="module")
def on_evidence() -> Plan:
    return shipped(EVIDENCE)


def test_evidence_checkpoint(on_evidence: Plan) -> None:
    checkpoint = on_evidence.main.job.checkpoint
    # BF16 weights, FP32 master and two FP32 moments: 2 + 4 + 4 + 4.
    assert checkpoint.size_bytes.number == close(SIZE)
    assert checkpoint.target_s.number == close(0.02 * 1800)
    assert checkpoint.required_write_bytes_per_s.number == close(SIZE / 36)
    assert checkpoint.daily_write_bytes_per_day.number == close(48 * SIZE)
    # All 48 a day for one day, one a day for the 90 days of the run; the day's own milestone is among the 48.
    assert checkpoint.archived_bytes.number == pytest.approx((48 + 90) * SIZE, rel=0.01)


def test_evidence_reads(on_evidence: Plan) -> None:
    ingest = on_evidence.main.job.ingest
    gpu = load_catalogue().gpus["gb200"].bf16_flops
    assert gpu is not None
    # 6 FLOP for each parameter and token, at 40 % of the peak; 4 bytes a token, 256 GPUs.
    assert ingest.read_bytes_per_s.number == close(gpu.number * 0.4 / (6 * PARAMETERS) * 4 * 256)


def test_evidence_goodput(on_evidence: Plan) -> None:
    goodput = on_evidence.main.goodput
    # 0.474 interruptions for 1,000 GPU-days, on 256 GPUs.
    assert goodput.interruption_s.number == close(86_400 * 1000 / (0.474 * 256))
    assert goodput.stall_s.number == on_evidence.main.save.save_s.number
    assert goodput.stall_fraction.number == close(goodput.stall_s.number / 1800)
    young = math.sqrt(2 * goodput.stall_s.number * goodput.interruption_s.number)
    assert goodput.young_interval_s.number == pytest.approx(young, rel=0.05)
    assert goodput.best_goodput_fraction.number >= goodput.goodput_fraction.number
    # A GPU-hour costs 3 USD; 256 of them stand still for each save.
    assert goodput.idle_usd.number == close(256 * 3 * goodput.stall_s.number / 3600)


def test_evidence_pool(on_evidence: Plan) -> None:
    hot = on_evidence.hot
    # Two copies on drives of 6.4 TB that write 10 GB/s, through a client stack that reaches 90 %.
    drain = SIZE / 1800
    writes = ((SIZE / 36) * 2 / 10e9 + drain / 14e9) / 0.9
    wear = 48 * SIZE * 2 * 1.2 / (3 * 6.4e12)
    capacity = 6 * SIZE / 0.8 * 2 / 6.4e12
    assert hot.terms["write bandwidth"].number == close(writes)
    assert hot.terms["endurance"].number == close(wear)
    assert hot.terms["capacity"].number == close(capacity)
    # Two copies, a third node to heal in.
    assert hot.unit_count.number == 3
    assert (hot.binding, hot.following) == ("write bandwidth", "endurance")
    assert hot.drive_count.number == 3 * math.ceil(writes / 3)
    assert plain(str(hot.usable_bytes)) == "28.8 TB"


def test_evidence_save(on_evidence: Plan) -> None:
    # 9 drives of 10 GB/s write each byte twice; 90 % reaches the clients. The copy of the checkpoint before is
    # read from the same drives meanwhile, which would read 14 GB/s each.
    drain = SIZE / 1800
    assert on_evidence.main.save.save_s.number == close(
        SIZE / (9 * 10e9 / 2 * 0.9 * (1 - drain / (9 * 14e9 * 0.9)))
    )
    assert on_evidence.main.save.binding == "drives"
    lost = on_evidence.main.degraded["one storage node lost"]
    assert lost.save_s.number == close(SIZE / (6 * 10e9 / 2 * 0.9 * (1 - drain / (6 * 14e9 * 0.9))))
    assert "BW-2" not in codes(on_evidence)


def test_evidence_says_what_decides(on_evidence: Plan) -> None:
    # (27.44 x 2 / 10 + 0.549 / 14) / 0.9 and 47.4 TB a day x 2 x 1.2 / (3 x 6.4 TB).
    assert "decided by write bandwidth (6.14 drives), then endurance (5.93)" in plain(headline(on_evidence))
    # The nodes are there for the two copies and a third to rebuild in; the drives are there for bandwidth.
    causes = {line.part_id: line.cause for line in on_evidence.bom if line.group == on_evidence.hot.name}
    assert causes[on_evidence.hot.platform.id] == "protection width of the NVMe-oF hot tier"
    assert causes["m9550max-6400"] == "write bandwidth of the NVMe-oF hot tier"


def test_evidence_wear(on_evidence: Plan) -> None:
    # Two copies of 48 checkpoints on 9 drives of 6.4 TB: 1.65 drive writes a day of 3.
    assert on_evidence.endurance.seen_dwpd.number == close(48 * SIZE * 2 / (9 * 6.4e12))


def test_evidence_retention() -> None:
    result = planned(EVIDENCE, {"storage.object_store.usable_bytes": 200e12})
    # 60 TB of raw data and a day of 48 copies stay as many; a milestone a day is added. 80 % of 200 TB are safe.
    assert result.retention.growth_bytes_per_day.number == close(SIZE)
    assert result.retention.fixed_bytes.number == close(60e12 + 48 * SIZE)
    assert result.retention.full_after_s.number == close((160e12 - 60e12 - 48 * SIZE) / SIZE * 86_400)
    more = planned(EVIDENCE, {"jobs.0.checkpoint.milestones_per_day": 3.0})
    assert more.retention.growth_bytes_per_day.number == close(3 * SIZE)
    none = planned(EVIDENCE, {"jobs.0.checkpoint.milestones_per_day": 0.0})
    assert math.isinf(none.retention.full_after_s.number)


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        ("raid-z2", "(RAID-Z2, 10 wide)"),
        ("2-way", "(two copies)"),
        ("8+2", "(erasure code 8+2)"),
        ("none", "(no protection)"),
    ],
)
def test_the_headline_names_the_protection_in_words(scheme: str, said: str) -> None:
    result = planned("lab-8-nodes", {"storage.hot.protection_id": scheme})
    assert said in plain(headline(result))
    if result.unpriced:
        assert f"{len(result.bill.not_priced)} lines of the bill not priced" in plain(headline(result))
