#!/usr/bin/env bash
# Checks that the tests have the programs that pip can't install, and as root on Debian installs the
# distribution's own. Chromium (BIGBEN_CHROMIUM, or one of those in /usr/bin) is needed. Without the
# others the tests that need them are skipped: Firefox (BIGBEN_FIREFOX, or /usr/bin/firefox-esr),
# nginx, Caddy, Prometheus with promtool, and Discord's SDK, which npm installs.
# Usage: tools/get_programs.sh
set -euo pipefail
# The shell without a screen draws with a fifth of the CPU.
shell=/usr/bin/chromium-headless-shell
firefox=${BIGBEN_FIREFOX:-/usr/bin/firefox-esr}
nginx=/usr/sbin/nginx
caddy=/usr/bin/caddy
prometheus=/usr/bin/prometheus

updated=
install_missing() {  # PATH PACKAGE
    [ ! -x "$1" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    echo "Installing $2, for the tests"
    [ -n "$updated" ] || timeout 300 apt-get update -qq || true
    updated=yes
    # With RUNLEVEL=1, a package that brings a service does not start it.
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
        timeout 300 apt-get install -y -qq --no-install-recommends "$2" >/dev/null || true
}

[ -n "${BIGBEN_CHROMIUM:-}" ] || install_missing "$shell" chromium-headless-shell
chromium=${BIGBEN_CHROMIUM:-$(ls "$shell" /usr/bin/chromium 2>/dev/null | head -n 1 || true)}
[ -n "${BIGBEN_FIREFOX:-}" ] || install_missing "$firefox" firefox-esr
install_missing "$nginx" nginx
install_missing "$caddy" caddy
install_missing "$prometheus" prometheus
tools/with_npm.sh true || echo "So the test with Discord's own SDK is skipped." >&2
[ -x "$firefox" ] || echo "There is no Firefox at $firefox, so its tests are skipped." >&2
[ -x "$nginx" ] || echo "There is no nginx at $nginx, so its tests are skipped." >&2
[ -x "$caddy" ] || echo "There is no Caddy at $caddy, so its test is skipped." >&2
[ -x "$prometheus" ] || echo "There is no Prometheus at $prometheus, so its tests are skipped." >&2
[ -x "$chromium" ] && exit 0
echo "The tests of the browser page need Chromium, and there is none${chromium:+ at $chromium}." \
    "On Debian, run: sudo apt-get install chromium-headless-shell." \
    "Or give its path: make test BIGBEN_CHROMIUM=..." >&2
exit 1
