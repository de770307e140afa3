# For the scripts of this folder (`. scripts/deploy/started.sh`): the program under trial, what
# it is asked with, a server of it, nginx before it, and states of data to look for in answers.

failed=0
ok() { echo "ok      $*"; }
wrong() { echo "FAILED  $*"; failed=1; }

# built [PROGRAM]: prints the whole path of the program named, or else of the newest one built.
built() {
  local program=${1:-}
  [ -n "$program" ] || program=$(ls -t "${CARGO_TARGET_DIR:-target}"/{debug,release,dist}/procurement-lookup 2> /dev/null | head -n 1)
  [ -x "$program" ] || { echo "${0##*/}: no ${program:-program}: build it first" >&2; return 1; }
  realpath "$program"
}

# missing TOOL: ends the trial: as skipped, but in CI, which installs all that is tried, as failed.
missing() {
  echo "${0##*/}: skipped: no $1 here" >&2
  [ -z "${CI:-}" ] || exit 1
  exit 0
}

# need TOOL…: ends the trial where one of them is missing.
need() {
  local tool
  PATH=$PATH:/usr/sbin
  for tool in "$@"; do
    command -v "$tool" > /dev/null || missing "$tool"
  done
}

# end PROCESS…: SIGTERM to each of ours, by its id, and waits for it.
end() {
  local process
  for process in "$@"; do
    [ -z "$process" ] || { kill -TERM "$process" && wait "$process"; } 2> /dev/null || true
  done
}

# start_server FOLDER PROGRAM [ARGUMENT…]: starts `PROGRAM serve` on free ports (for clients
# on `listen`, ADDR:PORT, where that is set) with FOLDER as its current folder, FOLDER/out
# and FOLDER/err as its output, and waits until it says that it listens. Sets `server` (the
# process) and `base` (http://ADDR:PORT).
start_server() {
  local folder=$1 program=$2
  local options=(--listen "${listen:-127.0.0.1:0}" --admin-listen 127.0.0.1:0)
  shift 2
  : > "$folder/out"
  (cd "$folder" && exec env RUST_LOG="${RUST_LOG:-info}" "$program" serve "${options[@]}" "$@") \
    > "$folder/out" 2> "$folder/err" &
  server=$!
  for _ in $(seq 100); do
    base=$(sed -n 's/^listening on //p' "$folder/out")
    [ -n "$base" ] && return
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
  done
  echo "the server did not start:" >&2
  cat "$folder/err" >&2
  return 1
}

# start_nginx FOLDER SERVERS: starts nginx with scripts/deploy/nginx.conf, changed in its
# addresses and paths alone: SERVERS (`server ADDR:PORT;`, one or more) in the place of the
# service's, a free port, a certificate made for the trial (FOLDER/certificate.pem, for
# procurement.example.org); all it writes is in FOLDER. Sets `front` (the process) and
# `port`.
start_nginx() {
  local folder=$1 servers=$2
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
    -subj /CN=procurement.example.org -addext subjectAltName=DNS:procurement.example.org \
    -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2> "$folder/openssl.err" || { cat "$folder/openssl.err" >&2; return 1; }
  # A free port may be taken by another before nginx has it: then another one.
  for _ in 1 2 3 4 5; do
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    sed -e "s|listen 443 ssl;|listen 127.0.0.1:$port ssl;|" -e '/listen \[::\]:443 ssl;/d' \
      -e "s|server 127.0.0.1:8044;|$servers|" \
      -e "s|/etc/ssl/procurement.example.org/fullchain.pem|$folder/certificate.pem|" \
      -e "s|/etc/ssl/procurement.example.org/privkey.pem|$folder/key.pem|" \
      -e "s|/run/nginx.pid|$folder/nginx.pid|" -e "s|/var/log/nginx/|$folder/|" \
      -e "s|^http {|http { client_body_temp_path $folder/body; proxy_temp_path $folder/proxy; fastcgi_temp_path $folder/fastcgi; uwsgi_temp_path $folder/uwsgi; scgi_temp_path $folder/scgi;|" \
      scripts/deploy/nginx.conf > "$folder/nginx.conf"
    id www-data > /dev/null 2>&1 || sed -i 's/^user www-data;/user nobody nogroup;/' "$folder/nginx.conf"
    nginx -q -t -e "$folder/error.log" -c "$folder/nginx.conf" 2> "$folder/test.err" || { cat "$folder/test.err" >&2; return 1; }
    nginx -e "$folder/error.log" -c "$folder/nginx.conf" -g 'daemon off;' 2> "$folder/nginx.err" &
    front=$!
    # Until it accepts, or ends as the port is taken.
    for _ in $(seq 50); do
      if curl -sk --max-time 5 -o /dev/null "https://127.0.0.1:$port/"; then return; fi
      kill -0 "$front" 2> /dev/null || break
      sleep 0.1
    done
    wait "$front" 2> /dev/null || true
    front=
  done
  echo "FAILED  nginx did not start" >&2
  cat "$folder/nginx.err" "$folder/error.log" >&2
  return 1
}

# make_batches FOLDER CONTRACTS BATCHES: so many synthetic contracts, of which the last
# are held back, 100 for each of so many imports after the first: FOLDER/0.jsonl, FOLDER/1.jsonl
# and so on; with them FOLDER/targets and FOLDER/lookups (`checked-load split`).
make_batches() {
  cargo run --quiet --package generate -- --suppliers 100 --contracts "$2" --seed 5 > "$1/lines.jsonl" 2> "$1/generate.err" \
    || { cat "$1/generate.err" >&2; return 1; }
  scripts/deploy/checked-load split "$1/lines.jsonl" "$1" "$3"
  rm "$1/lines.jsonl" "$1/generate.err"
}

# keep_answers PROGRAM DATABASE LOOKUPS FOLDER: what is to be answered from that data, as
# `checked-load judge` looks for it.
keep_answers() {
  local arguments number=0
  mkdir "$4"
  while read -r -a arguments; do
    "$1" lookup "${arguments[@]}" --database "$2" > "$4/$number"
    number=$((number + 1))
  done < "$3"
}
