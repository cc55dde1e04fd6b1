#!/usr/bin/env bash
# The steps of the action, which also run on any machine: `check.sh BASE` in the folder of a project that has installed concordat and
# @concordat/tools. It compares the generated files with the contracts, and the contracts with those of a branch or revision; it prints the
# annotations of GitHub, adds the tables to the summary of the job, and writes pages to the folder REPORTS, if it is set. It fails where one of
# both commands fails.
set -uo pipefail

base=${1:?Name the branch or revision to compare with}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
reports=${REPORTS:-}
if [[ -n $reports ]]; then mkdir -p "$reports"; fi
# A checkout has only its own commit, unless it was asked for more.
if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  git fetch --quiet --depth=1 origin "$base" || { echo "There is no branch or revision $base" >&2; exit 2; }
  base=FETCH_HEAD
fi

outcome=0
step() {
  local status=0
  npx --no-install concordat "$@" --format github || status=$?
  npx --no-install concordat "$@" --format markdown 2>/dev/null >>"$summary"
  echo >>"$summary"
  if [[ -n $reports ]]; then npx --no-install concordat "$@" --format html 2>/dev/null >"$reports/$1.html"; fi
  if ((status > outcome)); then outcome=$status; fi
}

step check
step diff --base "$base"
exit $outcome
