# SPDX-License-Identifier: Apache-2.0
"""Checks the excerpts of documentation against what the programs print.

A fenced block is an excerpt when the line before it is a comment that names the
command which prints it:

    <!-- excerpt of: millrace-compile --model models/pocket/llama ... -->

Three dots in an excerpt stand for anything, a line end included. What is between
two of them must be in the output, word for word and in this order; only white
space may differ, as long lines are broken for the reader. Blocks of the languages
in CHECKED must be excerpts.

usage: check_excerpts.py PAGE...      prints one line for each excerpt that is wrong
"""

import re
import subprocess
import sys

MARK = re.compile(r"^<!-- excerpt of: (.*) -->$")
FENCE = re.compile(r"^```(\w*)$")
CHECKED = ("mlir", "c")


def blocks(lines):
    """Yields (line number, language, command or None, text) of each block."""
    command, start = None, None
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if start is None:
            if fence:
                start, language, text = number, fence.group(1), []
            elif line.strip():
                mark = MARK.match(line)
                command = mark.group(1) if mark else None
        elif fence:
            yield start, language, command, "\n".join(text)
            command, start = None, None
        else:
            text.append(line)


def words(text):
    return " ".join(text.split())


def first_missing(excerpt, output):
    """The first part of `excerpt` that `output` lacks at its place, or None."""
    position = 0
    for part in excerpt.split("..."):
        part = words(part)
        found = output.find(part, position)
        if found < 0:
            return part
        position = found + len(part)
    return None


def run(command, cache={}):
    if command not in cache:
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        cache[command] = (done.returncode, words(done.stdout))
    return cache[command]


def check(page):
    """The number of excerpts of `page`, and a line for each that is wrong."""
    count, errors = 0, []
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, language, command, text in blocks(lines):
        where = f"{page}:{number}"
        if command is None:
            if language in CHECKED:
                errors.append(f"{where}: no comment names the command that prints this")
            continue
        count += 1
        code, output = run(command)
        missing = first_missing(text, output)
        if code != 0:
            errors.append(f"{where}: `{command}` failed: {output[-300:]}")
        elif missing is not None:
            errors.append(f"{where}: `{command}` prints no such text here: {missing}")
    return count, errors


def main(pages):
    count, errors = 0, []
    for page in pages:
        found, wrong = check(page)
        count += found
        errors += wrong
    for error in errors:
        print(error)
    print(f"{count} excerpts, {len(errors)} errors")
    return 1 if errors or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
