"""Protection that GPU nodes make themselves: targets hold plain parts, and no raw part is mounted as if it were safe."""

from __future__ import annotations

import csv
import io
import json

import pytest

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from tests.deploy.conftest import changed


def bundle_of(**hot):
    return contents(
        changed("lab-8-nodes", **{f"storage__hot__{name}": value for name, value in hot.items()}),
        Addressing(),
    )


@pytest.mark.parametrize(
    ("place", "scheme", "parts", "data"),
    [("host", "2-way", 2, 1), ("client", "4+2", 6, 4), ("host", "8+2", 10, 8)],
)
def test_a_node_attaches_every_part_on_a_target_of_its_own(place, scheme, parts, data):
    made = bundle_of(protection_at=place, protection_id=scheme)
    (space,) = made.site.plan.architecture.namespaces
    own = [export for export in made.exports if export.hosts == (0,)]
    assert len(own) == len({export.target for export in own}) == parts
    assert len({export.subsystem for export in own}) == parts
    assert all(export.peer is None for export in own)
    # k + m parts of a k-th of the space each: raw over usable of the scheme, in whole MiB.
    assert sum(export.size_bytes for export in own) == pytest.approx(
        space.size_bytes.number * parts / data, rel=1e-4
    )
    hosts = json.loads(made.files["hosts/gpu-01/nvme/config.json"])
    assert len(hosts[0]["subsystems"]) == parts


def test_no_part_is_mounted_alone_and_the_readme_says_who_joins_them():
    made = bundle_of(protection_at="host", protection_id="2-way")
    assert [path for path in made.files if path.endswith("mnt-checkpoints.mount")] == []
    text = made.files["README.md"]
    assert "targets protect nothing" in text
    assert "SPDK joins" not in text
    assert [path for path in made.files if path.endswith("mirror.json")] == []


def test_copies_that_targets_make_are_mounted():
    made = bundle_of(protection_at="server", protection_id="2-way")
    assert "hosts/gpu-01/systemd/system/mnt-checkpoints.mount" in made.files
    rows = list(csv.DictReader(io.StringIO(made.files["targets/access.csv"])))
    assert all(row["copy_on"] not in ("", row["target"]) for row in rows)


def test_a_target_that_nodes_protect_makes_no_parity_of_its_own():
    made = bundle_of(protection_at="host", protection_id="4+2", protection_domain="drive")
    script = made.files["targets/nvme-01/volumes.sh"]
    assert "zpool" not in script
    assert script.count("bdev_lvol_create -l") > 0
