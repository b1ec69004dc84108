#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes the training text of the pocket models: public-domain English from two
# Debian packages (see README.md), one clean file, one document a chapter.
#
#   models/pocket/fetch_text.sh OUT.txt
#
# Needs (apt-get install --no-install-recommends):
#   bible-kjv bible-kjv-text     the King James Bible, 1611
#   r-cran-janeaustenr           the six novels of Jane Austen, 1811 to 1818
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 OUT.txt" >&2
  exit 2
fi
out=$1
here=$(dirname "$0")

for program in bible Rscript python3; do
  if ! command -v "$program" >/dev/null; then
    echo "$0: no program '$program': apt-get install --no-install-recommends" \
      "bible-kjv bible-kjv-text r-cran-janeaustenr python3" >&2
    exit 1
  fi
done

raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT

# One verse a line, as in "Ge1:1 In the beginning ...".
bible -f gen1:1-rev22:21 </dev/null >"$raw/bible.txt"
# One printed line a line, "TITLE<tab>TEXT".
Rscript --vanilla -e 'd <- janeaustenr::austen_books()' \
  -e 'cat(paste0(d$book, "\t", d$text), sep = "\n")' >"$raw/novels.tsv"

python3 "$here/prepare_text.py" \
  --bible "$raw/bible.txt" --novels "$raw/novels.tsv" --out "$out"
