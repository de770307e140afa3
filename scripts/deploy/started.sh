# For the scripts of this folder (`. scripts/deploy/started.sh`): the program under trial, what
# it is asked with, servers of it, nginx before them, and states of data to look for in answers.

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

# within SECONDS COMMAND…: until it succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# free_ports N: so many free ports.
free_ports() {
  python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' "$1"
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
  read -r _ _ base < <(tail -f --pid="$server" -n +1 "$folder/out") && return
  echo "the server did not start:" >&2
  cat "$folder/err" >&2
  return 1
}

declare -A serving=() address=()
# serve_as WHO ARGUMENT…: a server of `program` in the folder `work`/WHO, at the address that it
# had before, if it has run. Sets serving[WHO] (the process) and address[WHO] (http://ADDR:PORT).
serve_as() {
  local who=$1 listen=${address[$1]:-}
  listen=${listen#http://}
  shift
  start_server "$work/$who" "$program" --rnp-rate 0 "$@"
  serving[$who]=$server address[$who]=$base
}

# status WHO KEY TARGET: that of the server's answer.
status() { curl -sS --max-time 20 -o /dev/null -w '%{http_code}' -H "X-API-Key: $2" "${address[$1]}$3"; }

# look_at_log WHO: nothing is wrong with the program itself.
look_at_log() {
  if grep -E 'level=error|panic' "$work/$1/err" > "$work/errors"; then wrong "the log of server $1:"; head -n 5 "$work/errors"; fi
}

# start_load ARGUMENT…: the clients (`checked-load ask`), until they have been answered. Sets `load`.
start_load() {
  scripts/deploy/checked-load ask "$@" &
  load=$!
  within 20 test -e "$work/seen" || wrong "the clients are not answered"
}

# end_load [OPTION]: every answer to them was right, as `checked-load judge` has it.
end_load() {
  local told
  kill -TERM "$load" 2> /dev/null || true
  wait "$load" || wrong "the load: exit status $?"
  load=
  if told=$(scripts/deploy/checked-load judge "$@" "$work/seen" "$work/known"); then ok "$told"; else wrong "$told"; fi
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
  port=$(free_ports 1)
  sed -e "s|listen 443 ssl;|listen 127.0.0.1:$port ssl;|" -e '/listen \[::\]:443 ssl;/d' \
    -e "s|server 127.0.0.1:8044;|$servers|" \
    -e "s|/etc/ssl/procurement.example.org/fullchain.pem|$folder/certificate.pem|" \
    -e "s|/etc/ssl/procurement.example.org/privkey.pem|$folder/key.pem|" \
    -e "s|/run/nginx.pid|$folder/nginx.pid|" -e "s|/var/log/nginx/|$folder/|" \
    -e "s|^http {|http { client_body_temp_path $folder/body; proxy_temp_path $folder/proxy; fastcgi_temp_path $folder/fastcgi; uwsgi_temp_path $folder/uwsgi; scgi_temp_path $folder/scgi;|" \
    scripts/deploy/nginx.conf > "$folder/nginx.conf"
  id www-data > /dev/null 2>&1 || sed -i 's/^user www-data;/user nobody nogroup;/' "$folder/nginx.conf"
  nginx -e "$folder/error.log" -c "$folder/nginx.conf" -g 'daemon off;' 2> "$folder/nginx.err" &
  front=$!
  within 5 curl -sk --max-time 5 -o /dev/null "https://127.0.0.1:$port/" && return
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
