"""Many documents in a row leave nothing behind: counted in a process of its own."""

import subprocess
import sys
from pathlib import Path

WARM, ALL, WHOLE_EVERY, MOST_BLOCKS = 10, 40, 10, 3_000
"""Documents until fonts and caches are full, all of them, how many are whole ones, and what those after the first
may leave: a title's widths in their cache are 30 blocks of memory each; one plan that were kept is some 2,000."""
SCRIPT = f"""
import gc, sys
from tests.documents.printed import SMALLEST, planned, rendered, shortly

def blocks():  # in use by objects; the pages of the process go up in steps, whatever is freed
    gc.collect()
    return sys.getallocatedblocks()

for number in range({ALL}):
    if number == {WARM}:
        before = blocks()
    make = rendered if number % {WHOLE_EVERY} == 0 else shortly
    make(planned(SMALLEST), title=f"Design {{number}} شركة 設計", revision=number)
print(blocks() - before)
"""


def test_many_documents_in_a_row_do_not_grow_the_memory():
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < MOST_BLOCKS
