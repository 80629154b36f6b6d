#!/bin/sh
# Runs every fuzz target for its share of the seconds, from its corpus (corpus.tar.gz, one folder a
# target). New inputs are thrown away.
#   tests/fuzz/smoke.sh BUILD_FOLDER [SECONDS]
set -eu
build=$1
seconds=${2:-60}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xzf "$here/corpus.tar.gz" -C "$scratch"
share=$((seconds / 5))
for reader in gguf safetensors config_json catalog_json url; do
    mkdir -p "$scratch/new/$reader"
    "$build/fuzz_$reader" -max_total_time="$share" -rss_limit_mb=1024 -malloc_limit_mb=512 \
        -timeout=5 -max_len=65536 -artifact_prefix="$scratch/" -print_final_stats=1 \
        "$scratch/new/$reader" "$scratch/$reader" >"$scratch/log" 2>&1 || {
        tail -n 40 "$scratch/log"
        echo "fuzz_$reader failed" >&2
        exit 1
    }
    echo "fuzz_$reader: $(sed -n 's/stat::number_of_executed_units: //p' "$scratch/log") executions"
done
