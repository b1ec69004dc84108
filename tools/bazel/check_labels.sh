#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_labels.sh FILE --forbid=PREFIX... --allow=PREFIX...
# Fails if a label in FILE starts with a forbidden prefix and with no allowed one.
set -euo pipefail
labels="$1"
shift
if [[ ! -s "$labels" ]]; then
  echo "$labels: wanted the labels of a query, found nothing"
  exit 1
fi

# Whether $1 starts with one of the other arguments.
starts_with_one_of() {
  local label="$1" prefix
  shift
  for prefix in "$@"; do
    [[ "$label" == "$prefix"* ]] && return 0
  done
  return 1
}

forbidden=()
allowed=()
for argument in "$@"; do
  case "$argument" in
    --forbid=*) forbidden+=("${argument#--forbid=}") ;;
    --allow=*) allowed+=("${argument#--allow=}") ;;
  esac
done

status=0
while read -r label; do
  if starts_with_one_of "$label" ${forbidden[@]+"${forbidden[@]}"} &&
    ! starts_with_one_of "$label" ${allowed[@]+"${allowed[@]}"}; then
    echo "forbidden dependency: $label"
    status=1
  fi
done <"$labels"
exit $status
