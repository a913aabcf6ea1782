"""SPDK files, against the requests that SPDK's own command line makes, and the kernel target's file."""

from __future__ import annotations

import functools
import json
import re
import shlex
from pathlib import Path

import pytest
from spdk.spdk_rpc import create_parser

from planner.deploy.addressing import Addressing
from planner.deploy.bundle import contents
from tests.deploy.conftest import changed
from tests.deploy.tools import run

NVMET_LIMIT = 8192
"""Highest number of a port or namespace that nvmetcli takes."""
METHODS = json.loads((Path(__file__).parent / "reference" / "spdk_methods.json").read_text())


@functools.cache
def options(method):
    """Long options of a command by the parameter that they set, from SPDK's own parser; "" is positional."""
    _, commands = create_parser()
    if method not in commands.choices:
        return None
    return {
        action.dest: next((name for name in action.option_strings if name.startswith("--")), "")
        for action in commands.choices[method]._actions
        if action.dest != "help"
    }


def flat(params):
    """Parameters with those of objects beside them, as the command line has them."""
    for name, value in params.items():
        if isinstance(value, dict):
            yield from flat(value)
        else:
            yield name, value


def command(call):
    """A request as a line of SPDK's command line; None if the command has no such parameter."""
    known = options(call["method"])
    if known is None:
        return None
    positional, named = [], []
    for name, value in flat(call.get("params", {})):
        if name not in known:
            return None
        text = " ".join(value) if isinstance(value, list) else str(value)
        if value is False:
            continue
        if not known[name]:
            positional.append((list(known).index(name), text))
        elif value is True:
            named.append(known[name])
        else:
            named.append(f"{known[name]}={text}")
    parts = [call["method"], *(text for _, text in sorted(positional)), *named]
    return shlex.join(parts)


def problems(config):
    """Calls of a configuration that SPDK's command line does not turn into the same request."""
    calls = [call for part in config["subsystems"] for call in part["config"]]
    lines = [command(call) for call in calls]
    found = [call["method"] for call, line in zip(calls, lines, strict=True) if line is None]
    if found:
        return found
    result = run("spdk-rpc", "--dry-run", stdin="\n".join(lines) + "\n")
    requests = [json.loads(text) for text in result.stdout.split("Request:\n")[1:]]
    if len(requests) != len(calls):  # it ends with status 0 at the first line that it refuses
        return [result.stderr.strip() or result.stdout.strip()]
    return [
        (call["method"], name)
        for call, request in zip(calls, requests, strict=True)
        for name, value in call.get("params", {}).items()
        if not holds(request["params"].get(name), value)
    ]


def holds(made, value):
    """Whether a request says what the file says; it also says defaults."""
    if isinstance(value, dict):
        return isinstance(made, dict) and all(holds(made.get(name), part) for name, part in value.items())
    return made == value


def target_file(made, name, target="nvme-01"):
    return json.loads(made.files[f"targets/{target}/spdk/{name}.json"])


@pytest.mark.parametrize("case", ["lab", "vision"])
@pytest.mark.parametrize("name", ["target", "mirror"])
def test_spdk_makes_the_same_requests(case, name, request):
    assert problems(target_file(request.getfixturevalue(case), name)) == []


@pytest.fixture(scope="module")
def striped():
    """A design whose parity is inside each target: SPDK exports volumes that ZFS made."""
    return contents(
        changed("lab-8-nodes", storage__hot__protection_id="8+2", storage__hot__protection_domain="drive"),
        Addressing(),
    )


def test_volumes_of_others_are_exported_too(striped):
    config = target_file(striped, "target")
    assert problems(config) == []
    methods = [call["method"] for part in config["subsystems"] for call in part["config"]]
    assert "bdev_aio_create" in methods
    assert "bdev_raid_create" not in methods
    assert "raidz2" in striped.files["targets/nvme-01/volumes.sh"]


def zpool(protection, drives):
    """The line that makes the pool of a target with so many drives, its comments, and the bundle's README."""
    made = contents(
        changed(
            "lab-8-nodes",
            storage__hot__protection_id=protection,
            storage__hot__protection_domain="drive",
            storage__hot__drive_count=drives,
        ),
        Addressing(),
    )
    units = len(made.site.targets)
    script = made.files["targets/nvme-01/volumes.sh"].splitlines()
    line = next((line for line in script if line.startswith("zpool create")), "")
    return (
        units,
        re.sub(r"/dev/disk/by-id/@TARGET_DRIVE_ID_(\d+)@", r"\1", line),
        script,
        made.files["README.md"],
    )


def test_zfs_gets_groups_of_one_width_and_the_rest_as_spares():
    """`zpool create` refuses groups of different widths ("mismatched replication level"), and 24 are no tens."""
    units, line, script, readme = zpool("raid-z2", 24 * 3)
    assert units == 3
    numbers = [" ".join(map(str, range(first, last))) for first, last in ((1, 11), (11, 21), (21, 25))]
    assert line == "zpool create -o ashift=12 ckpt raidz2 {} raidz2 {} spare {}".format(*numbers)
    assert "# 4 drives left over: ZFS takes groups of one width, so they stand by as spare." in script
    assert "4 drives of each target are left over from groups of 10 and stand by as spare" in readme


def test_copies_inside_a_target_are_mirrors_and_wide_parity_is_none_of_zfs():
    """ZFS has RAID-Z of one to three drives of parity: the four of 12+4 are other software's."""
    _, line, script, _ = zpool("2-way", 12)
    assert line.split(" ckpt ")[1].startswith("mirror 1 2")
    assert "# Two copies inside this node: groups of 2 drives that hold the same." in script
    _, line, script, readme = zpool("12+4", 60)
    assert (line, any(text.startswith("test -b /dev/ckpt/") for text in script)) == ("", True)
    assert "Erasure code 12+4 over drives: SPDK joins two copies by itself" in readme


@pytest.mark.parametrize(
    ("method", "name", "old"),
    [
        ("nvmf_create_transport", "max_io_qpairs_per_ctrlr", "max_qpairs_per_ctrlr"),
        ("nvmf_create_subsystem", "serial_number", "serial"),
        ("bdev_raid_create", "strip_size_kb", "strip_size"),
    ],
)
def test_a_renamed_parameter_is_found(method, name, old, lab):
    config = target_file(lab, "target")
    for part in config["subsystems"]:
        for call in part["config"]:
            if call["method"] == method:
                call["params"][old] = call["params"].pop(name)
    assert problems(config) != []


def test_a_missing_parameter_and_a_wrong_method_are_found(lab):
    config = target_file(lab, "target")
    calls = config["subsystems"][-1]["config"]
    del next(call for call in calls if call["method"] == "nvmf_create_transport")["params"]["trtype"]
    assert problems(config) != []
    config = target_file(lab, "target")
    config["subsystems"][-1]["config"][0]["method"] = "nvmf_subsystem_create"
    assert problems(config) == ["nvmf_subsystem_create"]


def test_names_and_required_parameters_are_the_published_ones(lab, vision, striped):
    for made in (lab, vision, striped):
        for path, text in made.files.items():
            if "/spdk/" not in path:
                continue
            for part in json.loads(text)["subsystems"]:
                for call in part["config"]:
                    known, given = METHODS[call["method"]], call.get("params", {})
                    assert set(given) <= set(known), (path, call)
                    assert {name for name, required in known.items() if required} <= set(given), (path, call)
                    assert not {"io_unit_size", "num_shared_buffers", "buf_cache_size"} & set(given)


def test_volumes_are_made_by_commands_that_spdk_knows(lab):
    script = lab.files["targets/nvme-01/volumes.sh"]
    lines = [line.removeprefix("spdk-rpc ") for line in script.splitlines() if line.startswith("spdk-rpc ")]
    result = run("spdk-rpc", "--dry-run", stdin="\n".join(lines) + "\n")
    assert result.stdout.count("Request:") == len(lines) > 1
    broken = run("spdk-rpc", "--dry-run", stdin="bdev_lvol_create -l ckpt name many\n")
    assert "Request:" not in broken.stdout


def test_both_copies_lie_on_different_targets_and_are_named_alike(vision):
    for target in vision.site.targets:
        own = [export for export in vision.exports if export.target == target.unit]
        mirror = target_file(vision, "mirror", target.name)
        peer = vision.site.targets[own[0].peer]
        there = target_file(vision, "target", peer.name)
        kept = {
            call["params"]["namespace"]["nsid"]: call["params"]["namespace"]["bdev_name"]
            for call in there["subsystems"][-1]["config"]
            if call["method"] == "nvmf_subsystem_add_ns"
        }
        pairs = [
            call["params"]["base_bdevs"]
            for call in mirror["subsystems"][0]["config"]
            if call["method"] == "bdev_raid_create"
        ]
        assert len(pairs) == len(own) == len(kept)
        for here, far in pairs:
            assert kept[int(far.removeprefix("peern"))] == here.replace("ckpt/", "ckpt/copy-")
        assert peer.name != target.name


# --- the kernel target --------------------------------------------------------------------------------------


def refused(config):
    """What the kernel or nvmetcli would refuse, by the rules of the format."""
    hosts = {host["nqn"] for host in config["hosts"]}
    found = []
    for subsystem in config["subsystems"]:
        attributes = subsystem["attr"]
        found += [f"{key} is no string" for key, value in attributes.items() if not isinstance(value, str)]
        if (attributes["allow_any_host"] == "1") == bool(subsystem["allowed_hosts"]):
            found.append("any host, or hosts that are named")
        found += [f"{nqn} is unknown" for nqn in subsystem["allowed_hosts"] if nqn not in hosts]
        found += ["serial"] * (len(attributes["serial"]) > 20) + ["model"] * (len(attributes["model"]) > 40)
        numbers = [space["nsid"] for space in subsystem["namespaces"]]
        if len(set(numbers)) != len(numbers) or not all(1 <= n <= NVMET_LIMIT for n in numbers):
            found.append("nsid")
        found += ["enable"] * (not all(space["enable"] in (0, 1) for space in subsystem["namespaces"]))
    names = {subsystem["nqn"] for subsystem in config["subsystems"]}
    for port in config["ports"]:
        address = port["addr"]
        found += [f"{key} is no string" for key, value in address.items() if not isinstance(value, str)]
        found += ["treq"] * (address["treq"] not in ("not specified", "required", "not required"))
        found += ["portid"] * (not 1 <= port["portid"] <= NVMET_LIMIT)
        found += [f"{nqn} is unknown" for nqn in port["subsystems"] if nqn not in names]
    return found


@pytest.mark.parametrize("case", ["lab", "vision"])
def test_the_kernel_target_takes_its_file(case, request):
    made = request.getfixturevalue(case)
    files = [text for path, text in made.files.items() if path.endswith("nvmet/config.json")]
    assert len(files) == len(made.site.targets)
    assert [refused(json.loads(text)) for text in files] == [[]] * len(files)


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (
            lambda c: c["subsystems"][0]["attr"].update(allow_any_host="1"),
            "any host, or hosts that are named",
        ),
        (lambda c: c["hosts"].pop(0), "is unknown"),
        (lambda c: c["ports"][0]["addr"].update(trsvcid=4420), "trsvcid is no string"),
        (lambda c: c["ports"][0]["addr"].update(treq="none"), "treq"),
    ],
)
def test_a_broken_kernel_file_is_found(break_it, told, lab):
    config = json.loads(lab.files["targets/nvme-01/nvmet/config.json"])
    break_it(config)
    assert any(told in problem for problem in refused(config))


def test_each_node_may_use_its_own_namespace_and_no_other(lab):
    for target in lab.site.targets:
        config = json.loads(lab.files[f"targets/{target.name}/nvmet/config.json"])
        for subsystem in config["subsystems"]:
            node = subsystem["nqn"].rpartition(":")[2]
            assert subsystem["allowed_hosts"] == [lab.files[f"hosts/{node}/nvme/hostnqn"].strip()]
            (space,) = subsystem["namespaces"]
            mount = lab.files[f"hosts/{node}/systemd/system/mnt-checkpoints.mount"]
            assert f"nvme-uuid.{space['device']['uuid']}" in mount
