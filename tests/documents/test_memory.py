"""Many documents in a row leave nothing behind: counted in a process of its own."""

import subprocess
import sys
from pathlib import Path

WARM, ALL, WHOLE_EVERY, MOST_KB = 20, 100, 5, 3_000
"""Documents until fonts and caches are full, all of them, how many are whole ones, and what those after the first
may add: one whole document has 280 kB, so that a tenth of them would show."""
SCRIPT = f"""
import gc
from tests.documents.printed import SMALLEST, planned, rendered, shortly

def resident_kb():
    gc.collect()
    with open("/proc/self/statm") as figures:
        return int(figures.read().split()[1]) * 4

for number in range({ALL}):
    if number == {WARM}:
        before = resident_kb()
    make = rendered if number % {WHOLE_EVERY} == 0 else shortly
    make(planned(SMALLEST), title=f"Design {{number}} شركة 設計", revision=number)
print(resident_kb() - before)
"""


def test_a_hundred_documents_in_a_row_do_not_grow_the_memory():
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < MOST_KB
