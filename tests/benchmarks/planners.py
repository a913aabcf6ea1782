"""The sweep beside public planners from PyPI, in one run on one machine: `python -m tests.benchmarks.planners`.

Each planner gets a virtual environment of its own, for what it needs does not go together with what the project needs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

from planner import Scenario, sweep

SECONDS = 3.0
PLANNERS = {
    "llm-analysis==0.2.2": """
import contextlib, io, logging, time
from llm_analysis.analysis import LLMAnalysis
from llm_analysis.config import ModelConfig, ParallelismConfig, get_dtype_config_by_name, get_gpu_config_by_name
logging.disable(logging.CRITICAL)
model = ModelConfig(name="175B", num_layers=96, n_head=96, hidden_dim=12288, vocab_size=50257, max_seq_len=2048)
analysis = LLMAnalysis(
    model, get_gpu_config_by_name("a100-sxm-80gb"), get_dtype_config_by_name("w16a16e16"),
    ParallelismConfig(tp_size=8, pp_size=8, dp_size=16), flops_efficiency=0.5,
)
count, begin = 0, time.perf_counter()
with contextlib.redirect_stdout(io.StringIO()):
    while time.perf_counter() - begin < SECONDS:
        analysis.training(batch_size_per_gpu=1, seq_len=2048, total_num_tokens=300e9, global_batch_size=1536)
        count += 1
print(count / (time.perf_counter() - begin))
""",
}
"""Scripts that print evaluations a second: one training run of GPT-3's size each."""


def public_rate(requirement: str, script: str) -> float:
    """Evaluations a second of a planner, installed into an environment that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "bin", "python"))
        subprocess.run([python, "-m", "pip", "install", "-q", requirement], check=True)
        done = subprocess.run(
            [python, "-c", script.replace("SECONDS", str(SECONDS))],
            check=True,
            capture_output=True,
            text=True,
        )
    return float(done.stdout.split()[-1])


def sweep_rate() -> float:
    """Designs a second of a sweep of a million."""
    axes = {
        "jobs.0.checkpoint.interval_s": np.geomspace(60, 86_400, 1000),
        "jobs.0.model.parameter_count": np.geomspace(1e9, 2e12, 1000),
    }
    begin = time.perf_counter()
    return len(sweep(Scenario(), axes)) / (time.perf_counter() - begin)


def main() -> int:
    """Each planner's rate beside the sweep's."""
    own = sweep_rate()
    print(f"{'sweep of 1,000,000 designs':32s} {own:10,.0f} a second")
    for requirement, script in PLANNERS.items():
        rate = public_rate(requirement, script)
        print(f"{requirement:32s} {rate:10,.0f} a second: the sweep does {own / rate:,.0f} times as many")
    return 0


if __name__ == "__main__":
    sys.exit(main())
