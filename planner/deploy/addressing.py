"""What a site adds to a design: names and subnets, checked so that none can break out of its line."""

from __future__ import annotations

import contextlib
import ipaddress
import itertools
import json
import re
from collections import Counter
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from planner.core.errors import PlannerError, nearest, shorten
from planner.sections.machines import METADATA
from planner.sections.machines import PREFIXES as NAMES

MAX_JSON_BYTES = 64 * 1024
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}\Z")
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_DOMAIN = re.compile(rf"(?=.{{1,180}}\Z)({_LABEL}\.)*(?![0-9]+\Z){_LABEL}\Z")
_NQN = re.compile(rf"(?=.{{1,74}}\Z)nqn\.20[0-9]{{2}}-(0[1-9]|1[0-2])(\.{_LABEL})+\Z")
_PATH = re.compile(r"(?=.{1,180}\Z)/[A-Za-z0-9_]+(/[A-Za-z0-9_]+){0,7}\Z")
_INTERFACE = re.compile(r"[a-z][a-z0-9]{0,11}\Z")
_TAKEN_INTERFACE = re.compile(
    r"((eth|lo|usb|bond|br|docker|dummy|tap|tun|virbr|wlan|wwan)[0-9]*"
    r"|(en|ib|sl|wl|ww)([0-9]*|[abcdiopsuvx][0-9]+[a-z0-9]*|[opsx]))\Z"
)
"""Prefixes with which the kernel, systemd and container software name interfaces themselves: eth0, enp3s0."""
_THIS_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")
"""Addresses that no host can have: a host that does not know its own yet (RFC 6890)."""
_SYSTEM_PATH = re.compile(
    r"/((bin|boot|dev|etc|lib|lib32|lib64|proc|run|sbin|sys|usr)(/.*)?|home|opt|root|tmp"
    r"|var(/(cache|lib|log|run|spool|tmp))?)\Z"
)
"""Directories that a mount would hide from the running system."""
NAME_RULE = "a letter, then at most 19 letters, digits or hyphens, all small"
NAMED_KINDS = {
    "node_prefix": "gpu",
    "hot_prefix": "hot",
    "file_system_prefix": "file-system",
    "object_prefix": "object",
    "metadata_prefix": METADATA,
    "leaf_prefix": "leaf",
    "spine_prefix": "spine",
}
"""Fields that begin the names of machines, and of which kind of machine."""
PREFIXES = tuple(NAMED_KINDS)
SUBNETS = ("fabric_a", "fabric_b", "links", "loopbacks")

INTERFACE_RULE = (
    "a letter, then at most 11 letters or digits, all small, such as st; eth, lo, enp1s and other names that the "
    "system gives itself are taken"
)
DOMAIN_RULE = "a DNS name of at most 180 characters in small letters whose last part is no number, such as storage.example"
NQN_RULE = "nqn.YEAR-MONTH.domain backwards, such as nqn.2026-01.example.storage"
PATH_RULE = "an absolute path of at most 180 letters, digits and underscores, such as /mnt/data"
SUBNET_RULE = "an IPv4 subnet such as 10.128.0.0/15"
LOWEST_PORT, HIGHEST_PORT = 1024, 65535
Release = Literal["5.9", "5.10", "5.11", "5.12", "5.13", "5.14", "5.15", "5.16", "5.17", "5.18"]
RULES = (
    dict.fromkeys(PREFIXES, NAME_RULE)
    | dict.fromkeys(SUBNETS, SUBNET_RULE)
    | dict.fromkeys(("mount_point", "dataset_path"), PATH_RULE)
    | {
        "interface_prefix": INTERFACE_RULE,
        "domain": DOMAIN_RULE,
        "nqn_prefix": NQN_RULE,
        "service_port": f"a whole number from {LOWEST_PORT} to {HIGHEST_PORT}",
        "cumulus_release": "one of " + ", ".join(f'"{name}"' for name in get_args(Release)),
    }
)
"""What may stand in each field, for a refusal."""


class Addressing(BaseModel):
    """Names and subnets of a site; the defaults are private ranges that fit a few thousand nodes.

    Every text is matched against the little that may stand in a configuration file: no blank, quote or
    line break passes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    fabric_a: str = "10.128.0.0/15"
    """Storage addresses of side A; each leaf gets a part of it."""
    fabric_b: str = "10.130.0.0/15"
    """Storage addresses of side B."""
    links: str = "10.132.0.0/16"
    """Point-to-point links between leaves and spines."""
    loopbacks: str = "10.133.0.0/22"
    """One address for each switch."""
    node_prefix: str = NAMES["gpu"]
    hot_prefix: str = NAMES["hot"]
    file_system_prefix: str = NAMES["file-system"]
    object_prefix: str = NAMES["object"]
    metadata_prefix: str = NAMES[METADATA]
    leaf_prefix: str = NAMES["leaf"]
    spine_prefix: str = NAMES["spine"]
    interface_prefix: str = "st"
    """Storage interfaces of hosts and targets: st0, st1."""
    domain: str = "storage.example"
    """DNS domain of all hosts."""
    nqn_prefix: str = "nqn.2026-01.example.storage"
    """Authority of the subsystem names: nqn, the month in which the domain was held, the domain backwards."""
    mount_point: str = "/mnt/checkpoints"
    """Where a node mounts its checkpoint namespace."""
    dataset_path: str = "/mnt/dataset"
    """Where nodes find the dataset."""
    service_port: Annotated[int, Field(ge=LOWEST_PORT, le=HIGHEST_PORT)] = 4420
    """Port of the NVMe-oF targets."""
    cumulus_release: Release = "5.16"
    """Release for which the NVUE files are written; keys were renamed in 5.15."""

    @field_validator(*PREFIXES)
    @classmethod
    def _name(cls, value: str) -> str:
        return _matched(_NAME, value, NAME_RULE)

    @field_validator("interface_prefix")
    @classmethod
    def _interface(cls, value: str) -> str:
        found = _matched(_INTERFACE, value, INTERFACE_RULE)
        if _TAKEN_INTERFACE.match(found):
            raise ValueError(INTERFACE_RULE)
        return found

    @field_validator("domain")
    @classmethod
    def _domain(cls, value: str) -> str:
        return _matched(_DOMAIN, value, DOMAIN_RULE)

    @field_validator("nqn_prefix")
    @classmethod
    def _nqn(cls, value: str) -> str:
        return _matched(_NQN, value, NQN_RULE)

    @field_validator("mount_point", "dataset_path")
    @classmethod
    def _path(cls, value: str) -> str:
        found = _matched(_PATH, value, PATH_RULE)
        if _SYSTEM_PATH.match(found):
            raise ValueError(f"a directory that the system itself does not need, such as /mnt{found}")
        return found

    @field_validator(*SUBNETS)
    @classmethod
    def _subnet(cls, value: str) -> str:
        return str(_network(value))

    @model_validator(mode="after")
    def _apart(self) -> Addressing:
        names = [getattr(self, field) for field in PREFIXES]
        for field, other in itertools.combinations(PREFIXES, 2):
            if getattr(self, field) == getattr(self, other):
                raise ValueError(f"{field} and {other} are both {names[PREFIXES.index(field)]!r}")
        if self.mount_point == self.dataset_path:
            raise ValueError(f"mount_point and dataset_path are both {self.mount_point!r}")
        if re.fullmatch(rf"{self.mount_point}_[0-9]+", self.dataset_path):
            raise ValueError(
                f"dataset_path {self.dataset_path!r} is where a node mounts a further namespace of checkpoints"
            )
        for field, other in itertools.combinations(SUBNETS, 2):
            if self.network(field).overlaps(self.network(other)):
                raise ValueError(f"{field} {getattr(self, field)} overlaps {other} {getattr(self, other)}")
        return self

    @property
    def prefixes(self) -> dict[str, str]:
        """How the site begins the names of machines, by how the planner begins them."""
        return {NAMES[kind]: getattr(self, field) for field, kind in NAMED_KINDS.items()}

    def network(self, field: str) -> ipaddress.IPv4Network:
        """One of the subnets as a network."""
        return ipaddress.IPv4Network(getattr(self, field))


def _matched(pattern: re.Pattern[str], value: str, rule: str) -> str:
    if pattern.match(value) is None:
        raise ValueError(rule)
    return value


def _network(value: str) -> ipaddress.IPv4Network:
    """An IPv4 network that hosts can have: written out, /8 to /30, neither 0.x, multicast nor loopback."""
    try:
        network = ipaddress.IPv4Network(value)
    except ValueError:
        hint = ""
        with contextlib.suppress(ValueError):
            hint = f"; the network of that address is {ipaddress.IPv4Network(value, strict=False)}"
        raise ValueError(f"{SUBNET_RULE}{hint}") from None
    if "/" not in value or network.prefixlen < 8:
        raise ValueError("an IPv4 subnet with a length of /8 to /30")
    if network.prefixlen > 30:
        raise ValueError(f"at least four addresses, /30 or larger; /{network.prefixlen} is smaller")
    outside = network.is_multicast or network.is_loopback or network.is_link_local or network.is_reserved
    if outside or network.overlaps(_THIS_NETWORK):
        raise ValueError("addresses that hosts can have, such as 10.128.0.0/15")
    return network


def addressing_from_json(content: bytes | str) -> Addressing:
    """The names and subnets in a JSON object; fields that are not in it keep their defaults.

    Raises:
        PlannerError: It is not JSON, a field is unknown, or a value is refused; one line each.
    """
    if len(content) > MAX_JSON_BYTES:
        raise PlannerError("addressing: the file is larger than 64 KiB", field="addressing")
    try:
        data = json.loads(content, object_pairs_hook=_once)
    except PlannerError:
        raise
    except (ValueError, RecursionError):
        raise PlannerError("addressing: the file is not JSON", field="addressing") from None
    if not isinstance(data, dict):
        raise PlannerError("addressing: the file is not a JSON object", field="addressing")
    return addressing_from_dict(data)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose fields stand in it once: of two values none is taken for the other."""
    counts = Counter(name for name, _ in pairs)
    name = next((name for name, count in counts.items() if count > 1), None)
    if name is not None:
        told = shorten(name, 40)
        raise PlannerError(f"addressing.{told}: stands in the file more than once", field=told)
    return dict(pairs)


def addressing_from_dict(data: dict[str, Any]) -> Addressing:
    """The same from plain values.

    Raises:
        PlannerError: A field is unknown, or a value is refused; one line names it.
    """
    try:
        return Addressing.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            hint = nearest(field, list(Addressing.model_fields))
            raise PlannerError(f"addressing.{shorten(field, 40)}: no such field{hint}", field=field) from None
        ours = first["type"] == "value_error"
        told = str(first["msg"]).removeprefix("Value error, ") if ours else RULES.get(field, "a JSON object")
        if not field:
            raise PlannerError(f"addressing: {told}", field="addressing") from None
        value = shorten(repr(first["input"]), 60)
        raise PlannerError(
            f"addressing.{field}: {value} is refused; allowed is {told}", field=field
        ) from None
