# Functions for try-postgresql, try-patroni and checking/postgresql, to be read after started.sh:
# running PostgreSQL, publishing to it continuously, and servers that answer from it while clients
# check every response. Expects `work` (a folder), `program`, and `database` (the postgresql://
# address to publish to).

# as_postgres COMMAND…: runs a command, as the user postgres if called by root: PostgreSQL refuses to
# run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# need_postgresql: sets `programs`, the folder of initdb and postgres, which is not in PATH on Debian.
need_postgresql() {
  local postgres
  postgres=$(ls -d /usr/lib/postgresql/*/bin/postgres 2> /dev/null | sort -V | tail -n 1)
  postgres=${postgres:-$(command -v postgres)} || missing PostgreSQL
  programs=$(dirname "$postgres")
}

# sql PORT STATEMENT: prints the result of a statement.
sql() { psql -XqAt -h 127.0.0.1 -p "$1" -U postgres -d procurement -c "$2" 2>> "$work/psql.err"; }

# processes_of FOLDER: prints the PIDs of the server with this data folder, the main process first.
processes_of() {
  local first
  first=$(head -n 1 "$1/postmaster.pid" 2> /dev/null) || return 0
  echo "$first"
  ps -o pid= --ppid "$first" || true
}

# signal_all SIGNAL FOLDER: signals all processes of the server with this data folder.
signal_all() {
  # shellcheck disable=SC2046
  kill "-$1" $(processes_of "$2") 2> /dev/null || true
}

# make_states CONTRACTS COUNT: makes COUNT + 1 databases, each with one more import than the one
# before, and keeps the answers from each.
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
}

# publish_one STATE: publishes a database, retrying until PostgreSQL acknowledges it.
publish_one() {
  until timeout 60 "$program" publish --database "$work/states/$1.sqlite" --to "$database" >> "$work/publish.out" 2>&1; do
    [ ! -e "$work/stop" ] || return 1
    echo "state $1 again" >> "$work/publish.out"
    sleep 0.2
  done
  echo "$1" > "$work/acknowledged.new"
  mv "$work/acknowledged.new" "$work/acknowledged"
}

acknowledged() { cat "$work/acknowledged"; }

# is_published PORT STATE: succeeds if that PostgreSQL server has this state or a newer one.
is_published() {
  local revision
  revision=$(sql "$1" 'SELECT revision FROM procurement_lookup.publication') && [ -n "$revision" ] \
    && [ "$((revision - first_revision))" -ge "$2" ]
}

# check_publishing WHAT [SECONDS]: checks that another publication is acknowledged within that time.
check_publishing() {
  local before
  before=$(acknowledged)
  goes_further() { [ "$(acknowledged)" -gt "$before" ]; }
  if within "${2:-20}" goes_further; then
    ok "$1: publishing continues"
  elif [ "$before" = "$states" ]; then
    wrong "$1: all $states states were already published; raise the number of states"
  else
    wrong "$1: publishing has stopped"
    tail -n 3 "$work/publish.out"
  fi
}

# start_load_and_publishing ADDRESS ADDRESS: starts servers `one` and `two`, which answer from these
# PostgreSQL addresses, and clients that query them, and publishes a state every 0.7 s (`contracts` and
# `states` are the arguments of make_states). Sets `publisher`, `load`, `key` and `first_revision`.
start_load_and_publishing() {
  make_states "$contracts" "$states"
  publish_one 0
  first_revision=$(sql "${ports[a]}" 'SELECT revision FROM procurement_lookup.publication')
  key=$("$program" keys issue load --keys "$database" 2>> "$work/keys.err")
  mkdir "$work/one" "$work/two"
  serve_as one --database "$1" --keys "$1"
  serve_as two --database "$2" --keys "$2"
  start_load -- "$key" "$work/targets" "$work/seen" "${address[@]}"
  (for state in $(seq "$states"); do sleep 0.7 && publish_one "$state" || exit 1; done) &
  publisher=$!
}

# answers NAME STATE: succeeds if the server gives the answers of this state for every target.
answers() {
  local target number=0
  while read -r target; do
    curl -sS --max-time 20 -o "$work/body" -H "X-API-Key: $key" "${address[$1]}$target" 2> /dev/null || return 1
    cmp -s "$work/body" "$work/known/$(printf %03d "$2")/$number" || return 1
    number=$((number + 1))
  done < "$work/targets"
}

check_last_state() {
  local who
  for who in "${!serving[@]}"; do
    if within 20 answers "$who" "$states"; then ok "server $who answers from the last state published$1"; else wrong "server $who does not answer from the last state published$1"; fi
  done
}

# finish_load: waits for the last state, and checks all responses to the clients.
finish_load() {
  wait "$publisher" || wrong "the publisher: exit status $?"
  publisher=
  check_last_state ''
  end_load --never-backwards
}

# check_restart ADDRESS: kills and restarts the servers, which keep no state, and checks their
# answers.
check_restart() {
  local who
  for who in "${!serving[@]}"; do
    kill -KILL "${serving[$who]}"
    wait "${serving[$who]}" 2> /dev/null || true
    look_at_log "$who"
    serve_as "$who" --database "$1" --keys "$1"
  done
  check_last_state ' after being killed and restarted'
}

# check_keys: checks that all servers accept a new key and refuse it once it is revoked.
check_keys() {
  local second who target
  target=$(sed -n 3p "$work/targets")
  second=$("$program" keys issue second --keys "$database" 2>> "$work/keys.err") || { wrong 'a key was not issued'; return; }
  answered() { [ "$(status "$1" "$second" "$target")" = "$2" ]; }
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 200 && ok "server $who accepts a new key" || wrong "server $who refuses a new key"
  done
  "$program" keys revoke second --keys "$database" 2>> "$work/keys.err" || wrong 'a key was not revoked'
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 401 && ok "server $who refuses the revoked key" || wrong "server $who accepts a revoked key"
  done
}
