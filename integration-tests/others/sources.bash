# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetches other people's programs. Sourced by the scripts that run them.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly ROOT
readonly TARGET=$ROOT/integration-tests/target/others
# shellcheck disable=SC2034 # for the scripts that source this one
readonly LIBRDKAFKA=v2.15.0

say() { echo "${0##*/}: $*" >&2; }
die() { say "$@"; exit 1; }

# Prints the directory of a program's source, which is cloned if it is missing.
source_of() {
    local url=$1 version=$2 dir=$TARGET/${1##*/}-source
    if [[ ! -d $dir ]]; then
        rm -rf "$dir.part"
        git clone --quiet "$url" "$dir.part" || die "cannot clone $url"
        git -C "$dir.part" checkout --quiet "$version" || die "$url has no $version"
        mv "$dir.part" "$dir"
    fi
    [[ $(git -C "$dir" rev-parse HEAD) == $(git -C "$dir" rev-parse --verify --quiet "$version^{commit}") ]] ||
        die "$dir is not at $version: remove it, and it is cloned again"
    echo "$dir"
}
