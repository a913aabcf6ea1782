"""Names and subnets: what is refused, in one line; what fits; and that nothing can break out of a line."""

from __future__ import annotations

import ipaddress
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.core.errors import PlannerError
from planner.deploy.addressing import Addressing, addressing_from_dict, addressing_from_json
from planner.deploy.bundle import contents
from planner.deploy.rendering import render
from planner.deploy.site import site
from tests.deploy.conftest import changed, tried
from tests.plan.changes import shipped

EVIL = [
    "a\nb",
    "a b",
    'a"b',
    "a;b",
    "$(reboot)",
    "a|b",
    "../a",
    "a\u202eb",
    "{{ 1 }}",
    "é",
    "",
    "-a",
    "a\r\n- x",
]
TEXTS = [
    *("node_prefix", "hot_prefix", "leaf_prefix", "interface_prefix"),
    *("domain", "nqn_prefix", "mount_point", "dataset_path"),
]


@pytest.mark.parametrize("field", TEXTS)
@pytest.mark.parametrize("text", EVIL)
def test_text_that_could_leave_its_line_is_refused(field, text):
    with pytest.raises(PlannerError) as caught:
        addressing_from_dict({field: text})
    message = caught.value.message
    assert message.startswith(f"addressing.{field}: ")
    assert message.isprintable()


@settings(max_examples=300)
@given(field=st.sampled_from(TEXTS), text=st.text(max_size=40))
def test_whatever_is_accepted_is_one_plain_word(field, text):
    made, refused = tried(addressing_from_dict, {field: text})
    assert refused == "" or refused.isprintable()
    if refused:
        return
    value = getattr(made, field)
    assert value == text
    assert value.isascii()
    assert not set(value) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"fabric_a": "10.0.0.1/16"}, "the network of that address is 10.0.0.0/16"),
        ({"fabric_a": "10.0.0.0"}, "an IPv4 subnet with a length"),
        ({"fabric_a": "10.0.0.0/33"}, "an IPv4 subnet such as"),
        ({"fabric_a": "fd00::/64"}, "an IPv4 subnet such as"),
        ({"fabric_a": "224.0.0.0/16"}, "addresses that hosts can have"),
        ({"fabric_a": "10.0.0.0/31"}, "/30 or larger"),
        ({"fabric_a": "10.130.0.0/16"}, "fabric_a 10.130.0.0/16 overlaps fabric_b 10.130.0.0/15"),
        ({"fabric_a": "0.0.0.0/8"}, "addresses that hosts can have"),
        ({"fabric_a": "0.1.0.0/16"}, "addresses that hosts can have"),
        ({"fabric_a": 123}, "123 is refused; allowed is an IPv4 subnet such as"),
        ({"mount_point": "/etc"}, "such as /mnt/etc"),
        ({"mount_point": "/mnt/" + "a" * 176}, "at most 180 letters"),
        ({"mount_point": "/usr/local/data"}, "that the system itself does not need"),
        ({"dataset_path": "/var"}, "that the system itself does not need"),
        ({"links": "10.128.4.0/24"}, "fabric_a 10.128.0.0/15 overlaps links 10.128.4.0/24"),
        ({"leaf_prefix": "spine"}, "leaf_prefix and spine_prefix are both 'spine'"),
        ({"mount_point": "/mnt/dataset"}, "are both '/mnt/dataset'"),
        ({"fabric_a": "10.0.0.0/" + "1" * 40}, "an IPv4 subnet such as"),
        ({"service_port": 80}, "allowed is a whole number from 1024 to 65535"),
        ({"service_port": 65536}, "allowed is a whole number from 1024 to 65535"),
        ({"service_port": "4420; reboot"}, "allowed is a whole number from 1024 to 65535"),
        ({"cumulus_release": "4.4"}, 'allowed is one of "5.9", "5.10"'),
        ({"node_prefix": ["gpu"]}, "allowed is a letter, then at most 19"),
        ({"fabrik_a": "10.0.0.0/16"}, "no such field; did you mean fabric_a?"),
        ({"nqn_prefix": "nqn.2026-13.example"}, "nqn.YEAR-MONTH"),
        ({"domain": "x" * 200}, "at most 180 characters"),
    ],
)
def test_a_refusal_names_the_value_and_what_is_allowed(values, told):
    with pytest.raises(PlannerError) as caught:
        addressing_from_dict(values)
    assert told in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("field", Addressing.model_fields)
@pytest.mark.parametrize("value", [None, True, -1, 1.5, 10**30, "x" * 5000, [], {}])
def test_no_refusal_speaks_the_words_of_the_library(field, value):
    _, refused = tried(addressing_from_dict, {field: value})
    assert refused.startswith(f"addressing.{field}: ")
    for words in (
        "Input should",
        "should have",
        "valid string",
        "valid integer",
        "less than",
        "greater than",
    ):
        assert words not in refused


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"3", b"\xff\xfe", b'{"links": NaN}', b"[" * 60_000, b" " * 70_000]
)
def test_a_file_that_is_no_object_is_one_line(content):
    with pytest.raises(PlannerError) as caught:
        addressing_from_json(content)
    assert caught.value.message.startswith("addressing")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("path", ["/mnt", "/srv/data", "/home/shared", "/var/ckpt", "/data", "/etcetera"])
def test_a_path_beside_those_of_the_system_is_taken(path):
    assert addressing_from_dict({"mount_point": path}).mount_point == path


def test_a_subnet_too_small_for_one_leaf_says_so_in_the_singular():
    with pytest.raises(PlannerError) as caught:
        site(shipped("lab-8-nodes"), Addressing(fabric_a="10.128.0.0/30"))
    assert (
        "has 4 addresses; one leaf with its 17 endpoints and the gateway need a /27 or larger"
        in caught.value.message
    )


def test_fields_that_are_not_there_keep_their_defaults():
    assert addressing_from_json(b"{}") == Addressing()
    made = addressing_from_json(json.dumps({"domain": "ai.example.org"}))
    assert (made.domain, made.fabric_a) == ("ai.example.org", Addressing().fabric_a)


@pytest.mark.parametrize(
    ("field", "subnet", "fitting"),
    [
        ("fabric_a", "10.0.0.0/20", "/19"),
        ("fabric_b", "10.0.0.0/20", "/19"),
        ("links", "10.0.0.0/20", "/18"),
        ("loopbacks", "10.0.0.0/25", "/24"),
    ],
)
def test_a_subnet_that_is_too_small_says_how_large_it_must_be(field, subnet, fitting):
    plan = shipped("frontier-16384")
    with pytest.raises(PlannerError) as caught:
        site(plan, Addressing(**{field: subnet}))
    assert caught.value.message.startswith(f"addressing.{field}: {subnet} has ")
    assert f"need a {fitting} or larger" in caught.value.message
    site(plan, Addressing(**{field: f"10.0.0.0{fitting}"}))


def test_every_address_lies_in_its_side_and_its_leaf(vision):
    sides = {
        "A": ipaddress.ip_network(Addressing().fabric_a),
        "B": ipaddress.ip_network(Addressing().fabric_b),
    }
    seen = {}
    for machine in vision.site.machines:
        for port in machine.ports:
            network = port.subnet.network
            address = ipaddress.ip_address(port.address)
            assert address in network
            assert network.subnet_of(sides[port.side])
            assert address not in (network[0], network[1], network[-1])
            assert seen.setdefault((port.leaf, port.side), network) == network
    networks = list(seen.values())
    assert not [1 for i, a in enumerate(networks) for b in networks[i + 1 :] if a.overlaps(b)]


HOSTILE = [
    'x" #;$(reboot)`id`{{ 7*7 }}',
    "x' || reboot; '",
    'x\\" \\n - set: {}',
    "x\n- set: {}",
    "x\r\n[Service]",
    "x\u202ereversed",
    "=HYPERLINK(1)",
    "<script>|",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_of_the_design_stay_in_their_place(text, lab):
    """Names of a design are free text: they show in the README as text, and elsewhere as plain words."""
    plan, refused = tried(
        lambda: changed("lab-8-nodes", name=text, jobs=[{"name": text, "model": {"name": text}}])
    )
    assert "\n" not in refused
    if refused:  # the scenario does not take it in the first place
        return
    evil = contents(plan, Addressing())
    assert {path.split("/")[0] for path in evil.files} == {path.split("/")[0] for path in lab.files}
    for path, content in evil.files.items():
        if path != "README.md":
            assert text not in content, path
            assert all(character == "\n" or character.isprintable() for character in content), path
    (title, *_) = evil.files["README.md"].splitlines()
    assert title.endswith(": configuration")
    assert not set(re.sub(r"\\.", "", title)) & set("`*_{}[]<>|")
    assert len(evil.files["README.md"].splitlines()) == len(lab.files["README.md"].splitlines())
    for path in evil.files:
        assert re.fullmatch(r"[A-Za-z0-9_@./-]+", path)


def test_some_hostile_names_reach_the_bundle():
    plan = changed("lab-8-nodes", name=HOSTILE[0], jobs=[{"name": HOSTILE[0]}])
    made = contents(plan, Addressing())
    assert "reboot" in made.files["README.md"].splitlines()[0]
    assert "training/x-reboot-id-7-7/loaders.py" in made.files


def test_a_template_refuses_a_value_with_a_line_break():
    with pytest.raises(ValueError, match="control characters"):
        render("interface.link", placeholder="a\nb", interface="st0", mtu_bytes=9000)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"nqn_prefix": "nqn.2026-01.example..storage"}, "addressing.nqn_prefix"),
        ({"nqn_prefix": "nqn.2026-01.example.-storage"}, "addressing.nqn_prefix"),
        ({"mount_point": "/var/lib"}, "/mnt/var/lib"),
        ({"dataset_path": "/run/data"}, "/mnt/run/data"),
        # Resolvers take four numbers for an address: RFC 3696, section 2.
        ({"domain": "1.2.3.4"}, "addressing.domain: '1.2.3.4' is refused"),
        ({"domain": "12"}, "addressing.domain"),
        # With the number of a port behind them these are names of other interfaces.
        *(
            ({"interface_prefix": prefix}, f"addressing.interface_prefix: '{prefix}' is refused")
            for prefix in (
                "eth",
                "lo",
                "ib",
                "eno",
                "ens",
                "enp3s",
                "enp3s0f",
                "ibp1s",
                "docker",
                "bond",
                "wlan",
                "eth1",
            )
        ),
        # The second namespace of a node is mounted there.
        ({"dataset_path": "/mnt/checkpoints_2"}, "a further namespace"),
    ],
)
def test_names_that_would_break_on_the_machine_are_refused(fields, words):
    with pytest.raises(PlannerError, match=re.escape(words)):
        addressing_from_dict(fields)


def test_of_a_field_that_stands_twice_none_is_taken():
    with pytest.raises(PlannerError, match=r"addressing\.node_prefix: stands in the file more than once"):
        addressing_from_json('{"node_prefix": "a", "node_prefix": "b"}')


@pytest.mark.parametrize("fields", [{"domain": "1.example"}, {"domain": "10.in-addr.arpa"}, {"domain": "a1"},
                                    {"interface_prefix": "st"}, {"interface_prefix": "store"},
                                    {"interface_prefix": "engine"}, {"interface_prefix": "local"}])  # fmt: skip
def test_names_that_only_look_like_those_are_taken(fields):
    ((field, value),) = fields.items()
    assert getattr(addressing_from_dict(fields), field) == value


@pytest.mark.parametrize("name", ["lab-8-nodes", "guide-256-evidence", "two-jobs", "vision-1024"])
def test_a_machine_has_one_name_in_its_rack_on_its_cables_and_in_the_bundle(name):
    plan = shipped(name)
    made = site(plan, Addressing())
    told = {machine.name for machines in made.units.values() for machine in machines}
    told |= {switch.name for switch in made.switches}
    assert {place.name for rack in plan.racks.racks for place in rack.places} == told
    assert {name.rpartition("-")[0] for name in told} >= {"nvme", "leaf"}
