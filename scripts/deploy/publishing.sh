# For try-postgresql and try-patroni, after started.sh: PostgreSQL of one's own, publishing to it
# throughout, and servers that answer from it while clients look at every answer. Expects
# `work` (the folder), `program`, `database` (the postgresql:// address that is published to).

# as_postgres COMMAND…: PostgreSQL does not run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# need_postgresql: sets `programs`, the folder of initdb and postgres, which Debian keeps out of PATH.
need_postgresql() {
  local postgres
  postgres=$(ls -d /usr/lib/postgresql/*/bin/postgres 2> /dev/null | sort -V | tail -n 1)
  postgres=${postgres:-$(command -v postgres)} || missing PostgreSQL
  programs=$(dirname "$postgres")
}

# free_ports N: so many free ports.
free_ports() {
  python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in held))' "$1"
}

# sql PORT STATEMENT: what a server answers to it.
sql() { psql -XqAt -h 127.0.0.1 -p "$1" -U postgres -d procurement -c "$2" 2>> "$work/psql.err"; }

# within SECONDS COMMAND…: until it succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

# processes_of FOLDER: of a server's data folder all processes, its first one first.
processes_of() {
  local first
  first=$(head -n 1 "$1/postmaster.pid" 2> /dev/null) || return 0
  echo "$first"
  ps -o pid= --ppid "$first" || true
}

# signal_all SIGNAL FOLDER: at once to all processes of the server of a data folder.
signal_all() {
  # shellcheck disable=SC2046
  kill "-$1" $(processes_of "$2") 2> /dev/null || true
}

# make_states CONTRACTS COUNT: the data after an import, and after each of so many more, as files
# and as the answers from each.
make_states() {
  local state
  mkdir "$work/states" "$work/known"
  make_batches "$work" "$1" "$2"
  for state in $(seq 0 "$2"); do
    [ "$state" = 0 ] || cp "$work/states/$((state - 1)).sqlite" "$work/states/$state.sqlite"
    "$program" import --database "$work/states/$state.sqlite" "$work/$state.jsonl" > "$work/import.out" 2>&1 \
      || { cat "$work/import.out" >&2; exit 1; }
    keep_answers "$program" "$work/states/$state.sqlite" "$work/lookups" "$work/known/$(printf %03d "$state")"
  done
  states=$2
}

# publish_one STATE: until it is acknowledged.
publish_one() {
  until timeout 60 "$program" publish --database "$work/states/$1.sqlite" --to "$database" >> "$work/publish.out" 2>&1; do
    [ ! -e "$work/stop" ] || return 1
    echo "state $1 again" >> "$work/publish.out"
    sleep 0.2
  done
  echo "$1" > "$work/acknowledged.new"
  mv "$work/acknowledged.new" "$work/acknowledged"
}

# publish_all PAUSE: one state after the other, seconds apart. Sets `publisher`.
publish_all() {
  (for state in $(seq "$states"); do sleep "$1" && publish_one "$state" || exit 1; done) &
  publisher=$!
}

acknowledged() { cat "$work/acknowledged"; }

# is_published PORT STATE: has that server this state, or a newer one?
is_published() {
  local revision
  revision=$(sql "$1" 'SELECT revision FROM procurement_lookup.publication') && [ -n "$revision" ] \
    && [ "$((revision - first_revision))" -ge "$2" ]
}

# goes_on WHAT [SECONDS]: publications are acknowledged from now on.
goes_on() {
  local before
  before=$(acknowledged)
  goes_further() { [ "$(acknowledged)" -gt "$before" ]; }
  if within "${2:-20}" goes_further; then
    ok "$1: publishing goes on"
  elif [ "$before" = "$states" ]; then
    wrong "$1: all $states states had been published by then; there have to be more"
  else
    wrong "$1: nothing is published any more"
    tail -n 3 "$work/publish.out"
  fi
}

declare -A serving=() address=()
# start_serving WHO ADDRESS: a server without a state of its own, in a folder of its own.
start_serving() {
  mkdir -p "$work/$1"
  listen=${address[$1]:-} listen=${listen#http://}
  listen=${listen:-127.0.0.1:0} start_server "$work/$1" "$program" --database "$2" --keys "$2" --rnp-rate 0
  serving[$1]=$server address[$1]=$base
}

# start_asking: the clients, until they have been answered. Sets `load`.
start_asking() {
  scripts/deploy/checked-load ask -- "$key" "$work/targets" "$work/seen" "${address[@]}" &
  load=$!
  within 20 test -e "$work/seen" || wrong "the clients are not answered"
}

# answers WHO STATE: does the server answer each target as of this state?
answers() {
  local target number=0
  while read -r target; do
    curl -sS --max-time 20 -o "$work/body" -H "X-API-Key: $key" "${address[$1]}$target" 2> /dev/null || return 1
    cmp -s "$work/body" "$work/known/$(printf %03d "$2")/$number" || return 1
    number=$((number + 1))
  done < "$work/targets"
}

all_answer() {
  local who
  for who in "${!serving[@]}"; do
    if within 20 answers "$who" "$states"; then ok "server $who answers the last state published$1"; else wrong "server $who does not answer the last state published$1"; fi
  done
}

# end_asking: the last state is there, and every answer was right.
end_asking() {
  local told
  wait "$publisher" || wrong "the publisher: exit status $?"
  publisher=
  all_answer ''
  kill -TERM "$load" 2> /dev/null || true
  wait "$load" || wrong "the load: exit status $?"
  load=
  if told=$(scripts/deploy/checked-load judge --never-backwards "$work/seen" "$work/known"); then ok "$told"; else wrong "$told"; fi
}

# killed_and_started ADDRESS: servers keep nothing: killed and started, they answer as before.
killed_and_started() {
  local who
  for who in "${!serving[@]}"; do
    kill -KILL "${serving[$who]}"
    wait "${serving[$who]}" 2> /dev/null || true
    look_at_log "$who"
    start_serving "$who" "$1"
  done
  all_answer ', killed and started again'
}

# look_at_log WHO: nothing is wrong with the program itself.
look_at_log() {
  if grep -E 'level=error|panic' "$work/$1/err" > "$work/errors"; then wrong "the log of server $1:"; head -n 5 "$work/errors"; fi
}

# keys_count: a key that is issued or revoked counts at all servers.
keys_count() {
  local second who target
  target=$(sed -n 3p "$work/targets")
  second=$("$program" keys issue second --keys "$database" 2>> "$work/keys.err") || { wrong 'a key was not issued'; return; }
  answered() { [ "$(curl -sS --max-time 20 -o /dev/null -w '%{http_code}' -H "X-API-Key: $second" "${address[$1]}$target")" = "$2" ]; }
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 200 && ok "server $who knows a new key" || wrong "server $who does not know a new key"
  done
  "$program" keys revoke second --keys "$database" 2>> "$work/keys.err" || wrong 'a key was not revoked'
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 401 && ok "server $who refuses it once it is revoked" || wrong "server $who takes a revoked key"
  done
}
