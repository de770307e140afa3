# Functions for the scripts in this folder (`. scripts/deploy/started.sh`): finding the program,
# starting servers, nginx and load, and generating data whose answers are known.

failed=0
ok() { echo "ok      $*"; }
wrong() { echo "FAILED  $*"; failed=1; }

# built [PROGRAM]: prints the absolute path of PROGRAM, by default of the newest build.
built() {
  local program=${1:-}
  [ -n "$program" ] || program=$(ls -t "${CARGO_TARGET_DIR:-target}"/{debug,release,dist}/procurement-lookup 2> /dev/null | head -n 1)
  [ -x "$program" ] || { echo "${0##*/}: ${program:-the program} does not exist: build it first" >&2; return 1; }
  realpath "$program"
}

# missing TOOL: reports the tool and exits, with status 0 (skipped), or 1 if CI is set, because CI
# installs every tool.
missing() {
  echo "${0##*/}: skipped: $1 is not installed" >&2
  [ -z "${CI:-}" ] || exit 1
  exit 0
}

# need TOOL…: exits as `missing` does if one of the tools is not installed.
need() {
  local tool
  PATH=$PATH:/usr/sbin
  for tool in "$@"; do
    command -v "$tool" > /dev/null || missing "$tool"
  done
}

# end PID…: sends SIGTERM to each of these child processes and waits for it. Empty PIDs are ignored.
end() {
  local process
  for process in "$@"; do
    [ -z "$process" ] || { kill -TERM "$process" && wait "$process"; } 2> /dev/null || true
  done
}

# within SECONDS COMMAND…: repeats the command until it succeeds; fails after that time.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# free_ports N: prints N free TCP ports.
free_ports() {
  python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' "$1"
}

# start_server FOLDER PROGRAM [ARGUMENT…]: starts `PROGRAM serve` in FOLDER with its output in
# FOLDER/out and FOLDER/err, and waits until it listens. Uses free ports; if `listen` is set, that
# address for clients. Sets `server` (PID) and `base` (http://ADDR:PORT).
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
# serve_as NAME ARGUMENT…: starts a server of `program` in the folder `work`/NAME. If a server of that
# name has run before, it gets the same address. Sets serving[NAME] (PID) and address[NAME]
# (http://ADDR:PORT).
serve_as() {
  local who=$1 listen=${address[$1]:-}
  listen=${listen#http://}
  shift
  start_server "$work/$who" "$program" --rnp-rate 0 "$@"
  serving[$who]=$server address[$who]=$base
}

# status NAME KEY TARGET: prints the HTTP status of the server's response.
status() { curl -sS --max-time 20 -o /dev/null -w '%{http_code}' -H "X-API-Key: $2" "${address[$1]}$3"; }

# look_at_log NAME: reports errors and panics in the server's log.
look_at_log() {
  if grep -E 'level=error|panic' "$work/$1/err" > "$work/errors"; then wrong "the log of server $1:"; head -n 5 "$work/errors"; fi
}

# start_load ARGUMENT…: starts `checked-load ask` and waits for its first responses. Sets `load` (PID).
start_load() {
  scripts/deploy/checked-load ask "$@" &
  load=$!
  within 20 test -e "$work/seen" || wrong "the clients get no responses"
}

# end_load [OPTION]: stops the clients and checks their responses with `checked-load judge`.
end_load() {
  local report
  kill -TERM "$load" 2> /dev/null || true
  wait "$load" || wrong "the load: exit status $?"
  load=
  if report=$(scripts/deploy/checked-load judge "$@" "$work/seen" "$work/known"); then ok "$report"; else wrong "$report"; fi
}

# start_nginx FOLDER SERVERS: starts nginx with scripts/deploy/nginx.conf, in which only addresses and
# paths are changed. SERVERS replaces the upstream (`server ADDR:PORT;`, one or more). Uses a free
# port and a new certificate for procurement.example.org (FOLDER/certificate.pem), and writes only to
# FOLDER. Sets `front` (PID) and `port`.
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

# make_batches FOLDER CONTRACTS BATCHES: generates contracts and splits them with `checked-load split`:
# FOLDER/0.jsonl for the first import, then BATCHES files of 100 contracts for later imports,
# FOLDER/1.jsonl and so on. Also writes FOLDER/targets and FOLDER/lookups.
make_batches() {
  scripts/checking/generate --suppliers 100 --contracts "$2" --seed 5 > "$1/lines.jsonl" 2> "$1/generate.err" \
    || { cat "$1/generate.err" >&2; return 1; }
  scripts/deploy/checked-load split "$1/lines.jsonl" "$1" "$3"
  rm "$1/lines.jsonl" "$1/generate.err"
}

# keep_answers PROGRAM DATABASE LOOKUPS FOLDER: writes the correct answers from a database to FOLDER, in
# the layout that `checked-load judge` reads.
keep_answers() {
  local arguments number=0
  mkdir "$4"
  while read -r -a arguments; do
    "$1" lookup "${arguments[@]}" --database "$2" > "$4/$number"
    number=$((number + 1))
  done < "$3"
}
