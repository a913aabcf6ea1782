"""Many documents in a row leave nothing behind: counted in a process of its own."""

import subprocess
import sys
from pathlib import Path

WARM, MORE, MOST_KB = 8, 16, 2_000
"""Documents until fonts and caches are full, documents after that, and what those may add: one of them has 250 kB."""
SCRIPT = f"""
import gc
from tests.documents.printed import SMALLEST, planned, rendered

def resident_kb():
    gc.collect()
    with open("/proc/self/statm") as figures:
        return int(figures.read().split()[1]) * 4

for number in range({WARM + MORE}):
    if number == {WARM}:
        before = resident_kb()
    rendered(planned(SMALLEST), title=f"Design {{number}} شركة 設計", revision=number)
print(resident_kb() - before)
"""


def test_documents_in_a_row_do_not_grow_the_memory():
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < MOST_KB
