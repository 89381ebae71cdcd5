#!/usr/bin/env bash
# Remakes .venv with the newest versions and pins them: in constraints.txt for development, and with
# hashes in requirements.txt and requirements-build.txt for operators. It does not run the tests.
# Usage: tools/pin_versions.sh PYTHON      or, to leave constraints.txt as it is: tools/pin_versions.sh
set -euo pipefail
cd "$(dirname "$0")/.."

pin_newest() {  # PYTHON
    # Python 3.11 comes with an old setuptools, which mypyc would be content with.
    tools/make_venv.sh "$1" --upgrade setuptools
    {
        echo "# The version of everything in .venv; used as \`pip install -c constraints.txt\`."
        echo "# Written by \`make constraints\`, which takes the newest versions. Then run: make test check"
        .venv/bin/pip freeze --disable-pip-version-check --all --exclude pip --exclude-editable
    } >constraints.new
    mv constraints.new constraints.txt
    touch .venv/.installed
}

pin_with_hashes() {  # FILE COMMENT WHAT...
    file=$1 comment=$2
    shift 2
    {
        echo "# $comment Used as \`pip install --require-hashes -r $file\`."
        echo "# Every file that the index has of these versions, for each platform. Written by \`make constraints\`."
        # Without the settings of this machine, so that no address of an index gets into the file.
        .venv/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 \
            --generate-hashes --no-annotate --no-header --constraints constraints.txt "$@"
    } >requirements.new
    mv requirements.new "$file"
    echo "Pinned $(grep -c == "$file") packages with hashes in $file"
}

[ -z "${1:-}" ] || pin_newest "$1"
echo "There are $(grep -c == constraints.txt) packages in constraints.txt"
pin_with_hashes requirements.txt "What server, bots and terminal need." \
    --extra server --extra discord --extra matrix --extra terminal pyproject.toml
pin_with_hashes requirements-build.txt "What builds the wheel." - <<<"hatchling"
