"""Write amplification, and how long the flash itself lasts."""

from __future__ import annotations

from planner.published.cases import Case
from planner.published.methods import Result, by
from planner.published.subjects.endurance import life_of
from planner.sizing import endurance, stripes


@by(stripes.unaligned_write_ratio)
def unaligned_writes(case: Case) -> Result:
    """Write amplification of writes that begin anywhere."""
    return stripes.unaligned_write_ratio(
        case.read("write", "bytes"),
        data_count=case.read("data"),
        parity_count=case.read("parity"),
        chunk_bytes=case.read("chunk", "bytes"),
    )


@by(stripes.changed_chunk_write_ratio)
def changed_chunk_writes(case: Case) -> Result:
    """Chunks written for each that changed."""
    return stripes.changed_chunk_write_ratio(case.read("changed"), parity_count=case.read("parity"))


@by(stripes.changed_chunk_access_count)
def changed_chunk_accesses(case: Case) -> Result:
    """Reads and writes for changed chunks."""
    return stripes.changed_chunk_access_count(
        case.read("changed"), data_count=case.read("data"), parity_count=case.read("parity")
    )


@by(stripes.raidz_allocation_ratio)
def raidz_allocation(case: Case) -> Result:
    """Allocated over stored bytes of a RAID-Z record."""
    return stripes.raidz_allocation_ratio(
        case.read("record", "bytes"),
        sector_bytes=case.read("sector", "bytes"),
        drive_count=case.read("drives"),
        parity_count=case.read("parity"),
    )


@by(endurance.random_waf_ratio)
def random_amplification(case: Case) -> Result:
    """Write amplification inside the drive at random writes."""
    return endurance.random_waf_ratio(case.read("spare over user", "1"))


@by(endurance.older_waf_ratio)
def older_amplification(case: Case) -> Result:
    """The older estimate of the same."""
    return endurance.older_waf_ratio(case.read("spare over user", "1"))


@by(endurance.rated_waf_ratio)
def amplification_in_rating(case: Case) -> Result:
    """Write amplification that a rating contains."""
    return endurance.rated_waf_ratio(
        case.read("flash endurance", "bytes"), rated_write_bytes=case.read("rated writes", "bytes")
    )


@by(endurance.duty_dwpd)
def duty(case: Case) -> Result:
    """Drive writes a day of a pool sized by bandwidth."""
    return endurance.duty_dwpd(
        case.read("save", "s"),
        interval_s=case.read("interval", "s"),
        drive_write_bytes_per_s=case.read("drive write", "bytes/s"),
        drive_capacity_bytes=case.read("drive", "bytes"),
    )


@by(endurance.longest_save_s)
def longest_save(case: Case) -> Result:
    """Save up to which bandwidth is what sizes the pool."""
    return endurance.longest_save_s(
        case.read("endurance", "DWPD"),
        interval_s=case.read("interval", "s"),
        drive_write_bytes_per_s=case.read("drive write", "bytes/s"),
        drive_capacity_bytes=case.read("drive", "bytes"),
    )


@by(endurance.wear_life_s, endurance.rated_life_s)
def wear_life(case: Case) -> Result:
    """Life by wear, not by warranty."""
    return endurance.wear_life_s(
        life_of(case, protection_ratio=case.read("protection", "1")),
        rated_waf_ratio=case.read("rated amplification", "1"),
        actual_waf_ratio=case.read("actual amplification", "1"),
    )
