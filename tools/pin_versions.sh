#!/usr/bin/env bash
# Remakes .venv with the newest versions and pins them in constraints.txt. It does not run the tests.
# Usage: tools/pin_versions.sh PYTHON
set -euo pipefail
cd "$(dirname "$0")/.."
# Python 3.11 comes with an old setuptools, which mypyc would be content with.
tools/make_venv.sh "$1" --upgrade setuptools
{
    echo "# The version of everything in .venv; used as \`pip install -c constraints.txt\`."
    echo "# Written by \`make constraints\`, which takes the newest versions. Then run: make test check"
    .venv/bin/pip freeze --disable-pip-version-check --all --exclude pip --exclude-editable
} >constraints.new
mv constraints.new constraints.txt
touch .venv/.installed
echo "Pinned $(grep -c == constraints.txt) packages in constraints.txt"
