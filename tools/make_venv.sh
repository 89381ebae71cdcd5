#!/usr/bin/env bash
# Makes .venv and installs the project in it for development. It activates nothing.
# Usage: tools/make_venv.sh PYTHON [pip install options]
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
shift

die() {
    echo "$*" >&2
    exit 1
}

command -v "$python" >/dev/null ||
    die "There is no '$python' here. Install Python 3.11 or newer, or say where it is: make venv PYTHON=..."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    die "$("$python" --version) is too old: 3.11 or newer is needed. Say where it is: make venv PYTHON=python3.12"

# Debian and Ubuntu ship Python without ensurepip, and venv cannot do without it.
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing python3-venv"
        apt-get update -qq
        apt-get install -y -qq python3-venv >/dev/null
    else
        die "'$python' has no venv module. On Debian and Ubuntu: sudo apt-get install python3-venv"
    fi
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        die "This failed: $*"
    }
}

echo "Making .venv and installing the project in it (about a minute)"
# --clear: what is no longer asked for must not stay, or the tests pass here and nowhere else.
quietly "$python" -m venv --clear .venv
quietly .venv/bin/pip install --disable-pip-version-check "$@" --editable '.[dev]'

.venv/bin/pip install --disable-pip-version-check "$@" --editable '.[synapse]' >"$log" 2>&1 ||
    echo "matrix-synapse can't be installed here, so the tests of the Matrix bot with a homeserver are skipped." >&2
