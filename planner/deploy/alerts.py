"""Monitoring: alert rules for the guide's four groups, tests of them, and a dashboard."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planner.deploy.access import Path
from planner.deploy.rendering import json_text, render
from planner.deploy.site import Machine, Site

Files = Iterator[tuple[str, str]]
BUCKET = "ebpf_exporter_bio_latency_seconds_bucket"
"""Times of block requests by ebpf_exporter: node_exporter has averages alone."""
PERCENTILES = {"p50": "0.5", "p99": "0.99", "p99.9": "0.999"}
PORT_LIMIT = 0.8
"""The guide's limit of steady traffic on a port."""
FC_WORD_BYTES = 4
"""Fibre Channel counts what it carries in transmission words."""
WEAR_DAYS = 30
WEAR_MARGIN = 1.2
"""A rise of wear counts from a fifth above the plan's: drives tell whole percents."""
YEAR_DAYS = 365
SCHEMA_VERSION = 39
"""Version of Grafana's form of a dashboard; later ones read it too."""
PANEL_HEIGHT, PANEL_WIDTH = 8, 12
"""Two panels a row of Grafana's 24 columns."""


@dataclass(frozen=True, slots=True)
class Latency:
    """One limit of latency: reads or writes, and of which percentile."""

    operation: str
    percentile: str
    quantile: str
    limit_s: float

    @property
    def alert(self) -> str:
        """Name of its alert."""
        return f"Storage{self.operation.capitalize()}Latency{self.percentile.upper().replace('.', '')}"


def latencies(site: Site) -> tuple[Latency, ...]:
    """Limits of the plan, by operation and percentile."""
    found = []
    for watch in site.plan.monitoring:
        if watch.group != "Latency":
            continue
        operation, _, percentile = watch.subject.partition(" latency ")
        found.append(Latency(operation, percentile, PERCENTILES[percentile], watch.threshold.number))
    return tuple(found)


def limit(site: Site, group: str, subject: str) -> float:
    """A threshold of the plan's monitoring."""
    return next(
        watch.threshold.number
        for watch in site.plan.monitoring
        if (watch.group, watch.subject) == (group, subject)
    )


def instances(prefix: str) -> str:
    """Pattern of the instances of a kind of machine: its prefix, a number, and domain or port."""
    return f"{prefix}-[0-9]+([.:].*)?"


def designed_paths(paths: dict[int, list[Path]]) -> tuple[int, int, int]:
    """Paths of a subsystem, of a node and of all nodes together, as designed; 0 where there are none."""
    counts: dict[tuple[int, str], int] = {}
    for node, own in paths.items():
        for path in own:
            counts[node, path.subsystem] = counts.get((node, path.subsystem), 0) + 1
    return (
        min(counts.values(), default=0),
        min((len(own) for own in paths.values() if own), default=0),
        sum(len(own) for own in paths.values()),
    )


def monitoring_files(site: Site, paths: dict[int, list[Path]]) -> Files:
    """Rules, their tests, what to scrape, and the dashboard."""
    values = _values(site, paths)
    values["in_bytes"] = _in_bytes(values)
    yield "storage-alerts.yaml", render("storage-alerts.yaml", **values)
    yield "storage-alerts-test.yaml", render("storage-alerts-test.yaml", **values)
    yield "scrape-targets.json", json_text(_scraped(site))
    yield "dashboard.json", json_text(dashboard(values))


def _values(site: Site, paths: dict[int, list[Path]]) -> dict[str, Any]:
    addressing = site.addressing
    prefixes = {
        "hot": addressing.hot_prefix,
        "file-system": addressing.file_system_prefix,
        "object": addressing.object_prefix,
    }
    subsystem, node, every = designed_paths(paths)
    transport = site.plan.network.transport.value
    rdma = transport == "rdma"
    tiers: list[dict[str, Any]] = [
        {
            "role": tier.role,
            "name": tier.name,
            "alert": "Storage" + tier.role.title().replace("-", "") + "Throughput",
            "instances": instances(prefixes[tier.role]),
            "limit": limit(site, "Throughput", f"{tier.name}, reads"),
            "sample": f"{prefixes[tier.role]}-1:9100",
        }
        for tier in site.plan.tiers
        if site.units[tier.role][0].ports
    ]
    yearly = limit(site, "Drive health", "endurance used per year")
    return {
        "latencies": latencies(site),
        "bucket": BUCKET,
        "nodes": instances(addressing.node_prefix),
        "node": f"{site.nodes[0].name}.{addressing.domain}:9100",
        "target": f"{site.targets[0].name}.{addressing.domain}:9100",
        "tiers": [tier for tier in tiers if not math.isnan(tier["limit"])],
        **_counters(site),
        "port_limit": PORT_LIMIT,
        "rdma": rdma and site.medium == "ethernet",  # notices of congestion are RoCE's
        "spare": limit(site, "Drive health", "available spare"),
        "temperature": limit(site, "Drive health", "composite temperature"),
        "wear_days": WEAR_DAYS,
        "wear": yearly * WEAR_DAYS / YEAR_DAYS * WEAR_MARGIN if not math.isnan(yearly) else 0.0,
        # A machine's own drives are subsystems too, each with a path over PCIe.
        "live": f'node_nvmesubsystem_path_state{{transport="{transport}", state="live"}}',
        "transport": transport,
        "paths_of_subsystem": subsystem,
        "paths_of_node": node,
        "paths_of_all": every,
        "subsystem": next((own[0].subsystem for own in paths.values() if own), ""),
    }


def _counters(site: Site) -> dict[str, Any]:
    """What node_exporter calls the bytes that a port sends and the rate that it has, and how it names the port.

    RDMA passes the counters of the network interface by, and Fibre Channel has none there; it states no rate either.
    """
    port_bytes_per_s = site.plan.network.option.client_port_bytes_per_s.number
    interface = site.addressing.interface_prefix
    found: dict[str, Any] = {"port_bytes_per_s": port_bytes_per_s, "unit_bytes": 1, "device": ""}
    if site.medium == "fc":
        return found | {
            "sent": "node_fibrechannel_tx_words_total",
            "rate": "",
            "unit_bytes": FC_WORD_BYTES,
            "port_label": "fc_host",
            "port": "host0",
        }
    if site.plan.network.transport.value == "rdma":
        return found | {
            "sent": "node_infiniband_port_data_transmitted_bytes_total",
            "rate": "node_infiniband_rate_bytes_per_second",
            "port_label": "device",
            "port": "mlx5_0",
        }
    return found | {
        "sent": "node_network_transmit_bytes_total",
        "rate": "node_network_speed_bytes",
        "device": f'device=~"{interface}[0-9]+"',
        "port_label": "device",
        "port": f"{interface}0",
    }


def _scraped(site: Site) -> list[dict[str, Any]]:
    """Every machine with its exporters, as Prometheus reads it from a file."""

    def group(machines: tuple[Machine, ...], role: str) -> dict[str, Any]:
        """Machines of one role, as a group of targets."""
        names = [f"{machine.name}.{site.addressing.domain}:9100" for machine in machines]
        return {"targets": names, "labels": {"role": role}}

    return [group(site.nodes, "node"), *(group(units, role) for role, units in site.units.items())]


def dashboard(values: dict[str, Any]) -> dict[str, Any]:
    """A dashboard with a panel for each of the four groups, and the paths as numbers."""
    selector = f"{{{values['device']}}}" if values["device"] else ""
    latency = f'histogram_quantile(%s, sum by (le) (rate({BUCKET}{{operation="%s"}}[5m])))'
    rate = f"{values['rate']}{selector}" if values["rate"] else f"{values['port_bytes_per_s']:.0f}"
    load = f"max by (instance) (rate({values['sent']}{selector}[5m]){_in_bytes(values)} / {rate})"
    panels = [
        _panel("Write latency", "s", {name: latency % (q, "write") for name, q in PERCENTILES.items()}),
        _panel("Read latency", "s", {name: latency % (q, "read") for name, q in PERCENTILES.items()}),
        _panel("Load of the busiest ports", "percentunit", {"{{instance}}": f"topk(10, {load})"}),
        *(
            _panel(f"Sent by: {tier['name']}", "Bps", {"sent": _sent(values, tier["instances"])})
            for tier in values["tiers"]
        ),
        _panel("Endurance used", "percent", {"{{instance}}": "topk(10, smartctl_device_percentage_used)"}),
        _panel("Live paths", "none", {"live": f"sum({values['live']})"}, kind="stat"),
        _panel("Designed paths", "none", {"designed": f"vector({values['paths_of_all']})"}, kind="stat"),
    ]
    for index, panel in enumerate(panels):
        panel["id"] = index + 1
        panel["gridPos"] = {
            "x": index % 2 * PANEL_WIDTH,
            "y": index // 2 * PANEL_HEIGHT,
            "w": PANEL_WIDTH,
            "h": PANEL_HEIGHT,
        }
    return {
        "uid": "training-storage",
        "title": "Training storage",
        "schemaVersion": SCHEMA_VERSION,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [{"name": "datasource", "type": "datasource", "query": "prometheus"}]},
        "panels": panels,
    }


def _sent(values: dict[str, Any], pattern: str) -> str:
    labels = ", ".join(part for part in (f'instance=~"{pattern}"', values["device"]) if part)
    return f"sum(rate({values['sent']}{{{labels}}}[5m])){_in_bytes(values)}"


def _in_bytes(values: dict[str, Any]) -> str:
    """What comes behind a rate of what is counted, to make it one of bytes."""
    return f" * {values['unit_bytes']}" if values["unit_bytes"] > 1 else ""


def _panel(title: str, unit: str, queries: dict[str, str], *, kind: str = "timeseries") -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "${datasource}"}
    return {
        "id": 0,
        "type": kind,
        "title": title,
        "gridPos": {},
        "datasource": source,
        "targets": [
            {"datasource": source, "expr": expression, "legendFormat": legend, "refId": chr(ord("A") + index)}
            for index, (legend, expression) in enumerate(queries.items())
        ],
        "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
    }
