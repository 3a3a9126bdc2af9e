"""Certify the numeric verdict on every operation, dtype and width: python benchmarks/certification.py

Writes site/data/certification.json and fails when a faithful implementation comes too near the bound or a
mutant stays within it. With --quick, three widths.
"""

import json
import platform
import sys
import time
from pathlib import Path

import numpy as np

from mutakata.numerics.certify import DTYPES, FAITHFUL_MARGIN, FURTHER, PRIMARY, certify, failures, table
from mutakata.numerics.inputs import WIDTHS
from mutakata.numerics.verdict import DIFFERS_RATIO, DIFFERS_SHARE

OUTPUT = Path(__file__).resolve().parents[1] / "site" / "data" / "certification.json"
FEW = (63, 128, 1000)


def main() -> int:
    start = time.process_time()
    widths = FEW if "--quick" in sys.argv else WIDTHS
    cells = []
    for promises, chosen in ((PRIMARY, widths), (FURTHER, FEW)):
        for promise in promises:
            cells += certify([promise], chosen, DTYPES)
            print(f"{time.process_time() - start:7.1f} s  {len(cells):6} cells  {promise}", flush=True)
    problems = failures(cells)
    record = {
        "command": "python benchmarks/certification.py",
        "rule": {"faithful": FAITHFUL_MARGIN, "mutant_ratio": DIFFERS_RATIO, "mutant_share": DIFFERS_SHARE},
        "cells": len(cells),
        "seconds_cpu": round(time.process_time() - start, 1),
        "machine": f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}",
        "problems": problems,
        "rows": table(cells),
    }
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n")
    print("\n".join(problems) or f"certified: {len(cells)} cells")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
