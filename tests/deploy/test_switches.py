"""Switch files: NVUE against the published schema of its release, SONiC against the rules of its tables."""

from __future__ import annotations

import importlib
import ipaddress
import json
import re
from functools import cache

import pytest
import yaml

from planner.deploy.addressing import Addressing
from planner.deploy.cumulus import nvue
from planner.deploy.rendering import yaml_text
from planner.deploy.site import site
from planner.deploy.switches import quality
from tests.plan.changes import shipped

RELEASES = Addressing.model_fields["cumulus_release"].annotation.__args__


def documents(made):
    """Every NVUE document of a bundle, as it stands under `set`."""
    for path, text in made.files.items():
        if path.startswith("switches/cumulus/"):
            ((entry,),) = (yaml.load(text, yaml.CSafeLoader),)
            yield path, entry["set"]


@cache
def model(release):
    return importlib.import_module(f"nvueschema.models.v{release.replace('.', '_')}").NvueConfig


def lost(document, release):
    """Keys that the schema of a release ignores, and values that it refuses."""
    try:
        kept = model(release).model_validate(document)
    except ValueError as error:
        return [str(error)]
    return list(differences(document, kept.model_dump(mode="json", by_alias=True, exclude_unset=True)))


def differences(left, right, path=""):
    if isinstance(left, dict) and isinstance(right, dict):
        for key in left.keys() | right.keys():
            if key in left and key in right:
                yield from differences(left[key], right[key], f"{path}/{key}")
            else:
                yield f"{path}/{key}"
    elif left != right:
        yield path


def switch_document(release, name="vision-1024", number=0):
    made = site(shipped(name), Addressing(cumulus_release=release))
    return nvue(made, made.switches[number], quality(made))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", [0, 4, -1])
def test_every_release_keeps_every_key(release, number):
    assert lost(switch_document(release, number=number), release) == []


@pytest.mark.parametrize(("written", "read"), [("5.14", "5.15"), ("5.16", "5.14")])
def test_words_of_another_release_are_seen(written, read):
    found = lost(switch_document(written), read)
    assert any("/qos/roce/" in path for path in found)
    assert any("/interface/" in path for path in found)


def test_a_value_that_no_release_knows_is_refused():
    document = switch_document("5.16")
    document["qos"]["roce"]["mode"] = "perfect"
    assert any("perfect" in problem for problem in lost(document, "5.16"))
    document = switch_document("5.16")
    document["qos"]["pfc"]["pfc-400g-20m"]["cable_length"] = 20
    assert lost(document, "5.16") == ["/qos/pfc/pfc-400g-20m/cable_length"]


@pytest.mark.parametrize("case", ["lab", "roce_lab", "vision"])
def test_the_files_are_yaml_that_means_what_was_meant(case, request):
    made = request.getfixturevalue(case)
    found = dict(documents(made))
    assert len(found) == len(made.site.switches)
    treatment = quality(made.site)
    for switch in made.site.switches:
        document = found[f"switches/cumulus/{switch.name}.yaml"]
        assert document == json.loads(json.dumps(nvue(made.site, switch, treatment)))
        assert lost(document, "5.16") == []


def test_on_is_a_word_and_no_truth():
    """YAML 1.1 takes a bare `on` for true, which NVUE before 5.15 would not take."""
    text = yaml_text({"a": {"enable": "on", "n": 3, "s": "3", "none": {}, "port": "400G", "no": "yes"}})
    assert yaml.safe_load(text) == {
        "a": {"enable": "on", "n": 3, "s": "3", "none": {}, "port": "400G", "no": "yes"}
    }


# --- SONiC --------------------------------------------------------------------------------------------------

REFERENCES = {
    ("BUFFER_PG", "profile"): "BUFFER_PROFILE",
    ("BUFFER_QUEUE", "profile"): "BUFFER_PROFILE",
    ("BUFFER_PROFILE", "pool"): "BUFFER_POOL",
    ("QUEUE", "scheduler"): "SCHEDULER",
    ("QUEUE", "wred_profile"): "WRED_PROFILE",
    ("PORT_QOS_MAP", "dscp_to_tc_map"): "DSCP_TO_TC_MAP",
    ("PORT_QOS_MAP", "tc_to_queue_map"): "TC_TO_QUEUE_MAP",
    ("PORT_QOS_MAP", "tc_to_pg_map"): "TC_TO_PRIORITY_GROUP_MAP",
    ("PORT_QOS_MAP", "pfc_to_queue_map"): "MAP_PFC_PRIORITY_TO_QUEUE",
    ("PORT_QOS_MAP", "pfc_to_pg_map"): "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
RANGES = {
    ("BUFFER_PROFILE", "dynamic_th"): (-8, 7),
    ("WRED_PROFILE", "green_drop_probability"): (0, 100),
    ("SCHEDULER", "weight"): (1, 100),
    ("PFC_WD", "detection_time"): (100, 5000),
    ("PFC_WD", "restoration_time"): (100, 60000),
    ("PFC_WD", "POLL_INTERVAL"): (100, 1000),
}
MAPS = tuple({target for target in REFERENCES.values() if target.endswith("_MAP")})
ON_PORTS = ("PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PFC_WD", "VLAN_MEMBER", "INTERFACE")


def fields(tables, table, name):
    """A field of all entries of a table that have it, by key."""
    return {key: entry[name] for key, entry in tables.get(table, {}).items() if name in entry}


def wrong_types(tables):
    for table, entries in tables.items():
        for key, entry in entries.items():
            yield from (
                f"{table}|{key}|{name}" for name, value in entry.items() if not isinstance(value, str)
            )


def wrong_values(tables):
    for (table, name), (low, high) in RANGES.items():
        for key, value in fields(tables, table, name).items():
            if not low <= int(value) <= high:
                yield f"{table}|{key}: {name} {value}"
    for key, entry in tables.get("WRED_PROFILE", {}).items():
        if int(entry["green_min_threshold"]) > int(entry["green_max_threshold"]):
            yield f"WRED_PROFILE|{key}: thresholds"
    for key, value in fields(tables, "PORT_QOS_MAP", "pfc_enable").items():
        if not re.fullmatch(r"[0-7](,[0-7])?|", value):
            yield f"PORT_QOS_MAP|{key}: pfc_enable"


def wrong_names(tables):
    for (table, name), target in REFERENCES.items():
        for key, value in fields(tables, table, name).items():
            if value not in tables.get(target, {}):
                yield f"{table}|{key}: no {target} {value}"
    for table in ON_PORTS:
        for key in tables.get(table, {}):
            ports = re.findall(r"Ethernet[0-9]+", key)
            yield from (f"{table}|{key}: no such port" for port in ports if port not in tables["PORT"])
    for table in MAPS:
        yield from (f"{table}: name {name}" for name in tables.get(table, {}) if len(name) > 32)


def sonic_problems(tables):
    """What SONiC's models refuse: values that are no strings, ranges, and names that are not there."""
    return [*wrong_types(tables), *wrong_values(tables), *wrong_names(tables)]


def sonic_tables(made):
    return {path: json.loads(text) for path, text in made.files.items() if path.startswith("switches/sonic/")}


@pytest.mark.parametrize("case", ["lab", "roce_lab", "vision"])
def test_sonic_takes_every_database(case, request):
    made = request.getfixturevalue(case)
    tables = sonic_tables(made)
    assert len(tables) == len(made.site.switches)
    assert {path: sonic_problems(one) for path, one in tables.items()} == {path: [] for path in tables}


@pytest.mark.parametrize(
    ("table", "key", "name", "value"),
    [
        ("PORT", "Ethernet0", "mtu", 9216),
        ("QUEUE", "Ethernet0|3", "scheduler", "[SCHEDULER|scheduler.storage]"),
        ("BUFFER_PROFILE", "egress_lossy_profile", "dynamic_th", "9"),
        ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3;4"),
        ("PFC_WD", "GLOBAL", "POLL_INTERVAL", "20"),
        ("QUEUE", "Ethernet9999|3", "scheduler", "scheduler.storage"),
    ],
)
def test_a_broken_database_is_found(table, key, name, value, roce_lab):
    tables = json.loads(roce_lab.files["switches/sonic/leaf-01.json"])
    tables[table].setdefault(key, {})[name] = value
    assert len(sonic_problems(tables)) == 1


def test_the_four_items_of_the_guide_are_on_every_port_in_use(vision):
    for path, tables in sonic_tables(vision).items():
        ports = set(tables["PORT"])
        assert {p for p, e in tables["PORT_QOS_MAP"].items() if e.get("pfc_enable") == "3"} == ports, path
        assert set(tables["PFC_WD"]) == {"GLOBAL", *ports}
        assert {
            key.split("|")[0] for key in tables["QUEUE"] if tables["QUEUE"][key].get("wred_profile")
        } == ports
        assert set(tables["CABLE_LENGTH"]["AZURE"]) == ports
        assert tables["DSCP_TO_TC_MAP"]["STORAGE"] == {
            **{str(mark): "0" for mark in range(64)},
            "26": "3",
            "48": "6",
        }


def test_tcp_is_never_paused(lab):
    for path, tables in sonic_tables(lab).items():
        assert not {"PFC_WD", "BUFFER_PG", "WRED_PROFILE", "MAP_PFC_PRIORITY_TO_QUEUE"} & set(tables), path
        assert not [entry for entry in tables["PORT_QOS_MAP"].values() if "pfc_enable" in entry]
    assert all("roce" not in document["qos"] for _, document in documents(lab))


def test_marks_come_before_pauses(vision):
    for tables in sonic_tables(vision).values():
        pool = int(tables["BUFFER_POOL"]["ingress_lossless_pool"]["size"])
        onset = pool / (1 + len(tables["PORT"]))  # threshold number 0: as much as is free, all ports at once
        for entry in tables["WRED_PROFILE"].values():
            assert int(entry["green_max_threshold"]) < onset


def test_links_have_both_ends_and_neighbours_know_each_other(vision):
    tables = {name.split("/")[-1].removesuffix(".json"): one for name, one in sonic_tables(vision).items()}
    ends = {}
    for name, one in tables.items():
        for peer, entry in one.get("BGP_NEIGHBOR", {}).items():
            ends[entry["local_addr"], peer] = (name, entry["name"], entry["asn"])
    assert len(ends) == 2 * len(vision.site.cabling.uplinks)
    for (own, peer), (name, there, asn) in ends.items():
        assert ends[peer, own][:2] == (there, name)
        assert tables[there]["DEVICE_METADATA"]["localhost"]["bgp_asn"] == asn
        assert ipaddress.ip_network(f"{own}/31", strict=False) == ipaddress.ip_network(
            f"{peer}/31", strict=False
        )
