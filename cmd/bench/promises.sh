#!/bin/sh
# Takes, in ten minutes on a quiet machine, what is promised in wall time of large trees and of prompts, and prints tables.
# usage: cmd/bench/promises.sh LINUX [TOOLS]: git repositories of Linux 6.1 and, to compare with aider, of golang/tools.
set -eu
linux=$(realpath "${1:?give the folder of a git repository of Linux 6.1}")
edit=kernel/irq/manage.c
echo "## $(date -u +%FT%TZ), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg)"
go -C cmd/bench run . repomap --tree "$linux" --edit "$edit" --rounds 60 --stages parse,first,restart
go -C cmd/bench run . large --tree "$linux" --edit "$edit"
if [ -n "${2:-}" ]; then
	python3 cmd/bench/aider_map.py "$2" --edit gopls/internal/cache/check.go --rounds 1
fi
go test -run '^$' -bench 'Context|Stream' -benchtime 40x ./agent
echo "## $(date -u +%FT%TZ), load $(cut -d' ' -f1-3 /proc/loadavg)"
