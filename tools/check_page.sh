#!/usr/bin/env bash
# Checks the types in the page's script with TypeScript, which npm installs; without Node the script is
# not checked.
# Usage: tools/check_page.sh
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
tools/with_npm.sh web/node_modules/.bin/tsc --project web || status=$?
[ "$status" != 69 ] || { echo "So the page's script is not checked." >&2; exit 0; }
exit "$status"
