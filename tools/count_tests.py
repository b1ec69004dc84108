#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts test cases in Bazel's test.xml files: "N passed, N failed"."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def count(path):
    """Returns (passed, failed, skipped) test cases of one test.xml."""
    try:
        cases = list(ElementTree.parse(path).iter("testcase"))
    except ElementTree.ParseError:
        return 0, 1, 0
    failed = skipped = 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("result") == "suppressed":
            skipped += 1
    return len(cases) - failed - skipped, failed, skipped


def main():
    """Adds up all files below the folder given; fails when none passed."""
    totals = [0, 0, 0]
    for path in sorted(pathlib.Path(sys.argv[1]).resolve().rglob("test.xml")):
        totals = [a + b for a, b in zip(totals, count(path))]
    passed, failed, skipped = totals
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
