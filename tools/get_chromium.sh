#!/usr/bin/env bash
# Checks that the tests of the page have a Chromium: BIGBEN_CHROMIUM, or /usr/bin/chromium.
# As root on Debian it installs the distribution's own. Usage: tools/get_chromium.sh
set -euo pipefail
chromium=${BIGBEN_CHROMIUM:-/usr/bin/chromium}
[ -x "$chromium" ] && exit 0

if [ -z "${BIGBEN_CHROMIUM:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing chromium, for the tests of the browser page"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
    [ -x "$chromium" ] && exit 0
fi
echo "The tests of the browser page need Chromium, and there is none at $chromium." \
    "On Debian, run: sudo apt-get install chromium. Or give its path: make test BIGBEN_CHROMIUM=..." >&2
exit 1
