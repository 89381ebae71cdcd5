#!/usr/bin/env bash
# Compile the solver's inner modules with mypyc into the folder $1, from the very same source.
# Put that folder first on PYTHONPATH: the answers are the same, which is tried at the end, and take
# about half of the time.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin
mkdir -p "$1"
cp -R rules/bigben_rules rules/bigben_solver "$1"
cd "$1"
inner=bigben_solver/big_ben
"$bin/mypyc" --config-file= --explicit-package-bases --follow-imports=silent \
  $inner/table.py $inner/judging.py $inner/moves.py $inner/search.py $inner/proof.py \
  $inner/playout.py $inner/reach.py > compile.log 2>&1 ||
  { tail -20 compile.log; exit 1; }
cd "$OLDPWD"
answers() { "$bin/python" -m research.solver --deals 10 | tail -1; }
fast=$1
case $fast in /*) ;; *) fast=$PWD/$fast ;; esac
# Each on a line of its own: if it fails, this script does.
plain=$(answers)
compiled=$(PYTHONPATH=$fast answers)
if [ "$compiled" != "$plain" ]; then
  echo "the compiled solver gives other answers, so do not use it"
  exit 1
fi
echo "compiled, and the answers are the same; use it with PYTHONPATH=$fast"
