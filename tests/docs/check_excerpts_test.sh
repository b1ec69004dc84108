#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The checker itself: it passes what is right and finds what is not.
set -euo pipefail

readonly checker="$1"
readonly page="${TEST_TMPDIR}/page.md"

# write COMMAND LANGUAGE TEXT: a page with one block; no comment without COMMAND.
write() {
  { [[ -z "$1" ]] || echo "<!-- excerpt of: $1 -->"; printf '```%s\n%b\n```\n' "$2" "$3"; } > "${page}"
}

passes() {
  python3 "${checker}" "${page}" > "${TEST_TMPDIR}/out" || {
    echo "refused: $1"; cat "${page}" "${TEST_TMPDIR}/out"; exit 1; }
}

# refuses WHY MESSAGE
refuses() {
  if python3 "${checker}" "${page}" > "${TEST_TMPDIR}/out"; then
    echo "passed: $1"; cat "${page}"; exit 1
  fi
  grep -qF "$2" "${TEST_TMPDIR}/out" || {
    echo "wanted '$2' of: $1"; cat "${TEST_TMPDIR}/out"; exit 1; }
}

write "echo 'one two'; echo three" "mlir" "one\n  two three"
passes "white space differs"
write "echo one two three four" "c" "one ... three\n..."
passes "dots stand for the rest"
write "" "" "a drawing"
echo '<!-- excerpt of: echo x -->' >> "${page}"
printf '```\nx\n```\n' >> "${page}"
passes "a block of no language needs no command"

write "echo one two three" "mlir" "one ... four"
refuses "a word that is not printed" "no such text here: four"
write "echo one two three" "mlir" "three ... one"
refuses "another order" "no such text here: one"
write "" "mlir" "one"
refuses "no command" "page.md:1: no comment names the command"
write "false" "" ""
refuses "a command that fails" "failed"
write "" "" "nothing to check"
refuses "a page without excerpts" "0 excerpts"
