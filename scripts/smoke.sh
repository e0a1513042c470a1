#!/usr/bin/env bash
# Starts the build as the README describes, and uses curl to register, log in, refresh, list sessions and log out.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
port=${SMOKE_PORT:-4391}
base="http://127.0.0.1:$port"
PORT=$port DATA_DIR="$work/data" LOG_FORMAT=json node dist/main.js > "$work/log" 2>&1 &
server=$!
trap 'kill "$server" 2> /dev/null && wait "$server" || true; rm -rf "$work"' EXIT

# Two minutes, because other checks may keep the processors busy.
for _ in $(seq 600); do
  curl -fsS -o /dev/null "$base/health/ready" 2> /dev/null && break
  kill -0 "$server" 2> /dev/null || { cat "$work/log"; exit 1; }
  sleep 0.2
done

# expect STATUS METHOD PATH [curl options…]
expect() {
  local wanted=$1 method=$2 path=$3
  shift 3
  local got
  got=$(curl -sS -o "$work/body" -w '%{http_code}' -X "$method" -b "$work/jar" -c "$work/jar" "$@" "$base$path")
  if [ "$got" != "$wanted" ]; then
    echo "$method $path answered $got, not $wanted: $(cat "$work/body")"
    exit 1
  fi
  echo "$method $path $got"
}
json=(-H 'content-type: application/json' -d)

expect 201 POST /api/auth/register "${json[@]}" '{"username":"ann","password":"correct horse battery"}'
expect 200 POST /api/auth/login "${json[@]}" '{"type":"password","username":"ann","password":"correct horse battery"}'
expect 200 GET /api/auth/me
expect 200 POST /api/auth/refresh
expect 200 GET /api/auth/sessions
expect 204 POST /api/auth/logout
expect 401 GET /api/auth/me
expect 200 GET /api/docs
expect 200 GET /
expect 200 GET /login
expect 200 GET /account

grep -q 'First administrator' "$work/log" || { echo 'No administrator was printed'; exit 1; }
kill -TERM "$server"
wait "$server"
echo 'Stopped with exit code 0'
