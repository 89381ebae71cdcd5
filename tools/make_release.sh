#!/usr/bin/env bash
# Builds what is published of this version in dist/: source, wheel, requirements with hashes, a list
# of everything that the wheel runs with (SBOM, CycloneDX) and checksums; and the container image.
# Publishes nothing.
# Usage: tools/make_release.sh [IMAGE]     "no" leaves the image out
set -euo pipefail
cd "$(dirname "$0")/.."

die() {
    echo "$*" >&2
    exit 1
}

# Before anything is built, so that nobody takes half a release for a whole one.
docker=none
if [ "${1:-}" != no ]; then
    for docker in docker podman none; do
        "$docker" info >/dev/null 2>&1 && break
    done
    [ "$docker" != none ] || die "Neither docker nor podman runs here, and a release has an image.
Without the image: make release IMAGE=no"
fi

bin=$PWD/.venv/bin
version=$("$bin/python" -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["version"])')
wheel=bigben_race-$version-py3-none-any.whl

changed=$(git status --porcelain)
[ -z "$changed" ] || die "A release is built from a commit, and these files differ from it:
$changed
Commit or remove them, then run make release again."
# Everything gets the time of the commit, so a second build of it has the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

rm -rf dist
"$bin/python" -m build --no-isolation --outdir dist >/dev/null
cp requirements.txt dist/

# As operators install it, which also shows that the hashes are complete.
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$bin/python" -m venv --without-pip "$fresh"
pip=("$bin/python" -m pip --disable-pip-version-check --python "$fresh/bin/python" install --quiet)
"${pip[@]}" --require-hashes -r dist/requirements.txt
"${pip[@]}" --no-deps "dist/$wheel"
"$fresh/bin/bigben" deal --seed "$(printf %064d 0)" >/dev/null
"$bin/cyclonedx-py" environment --output-reproducible --pyproject pyproject.toml \
    --output-file "dist/bigben-race-$version.cdx.json" "$fresh/bin/python"
(cd dist && sha256sum -- * >SHA256SUMS)
echo "In dist/:"
(cd dist && ls -1)

if [ "$docker" = none ]; then
    echo "No image, as asked."
    exit
fi
# Podman's own format has no health check.
export BUILDAH_FORMAT=docker
"$docker" build --quiet --tag "bigben-race:$version" .
echo "The image is bigben-race:$version ($docker)."
