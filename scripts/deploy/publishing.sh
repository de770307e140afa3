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

# sql PORT STATEMENT: what a server answers to it.
sql() { psql -XqAt -h 127.0.0.1 -p "$1" -U postgres -d procurement -c "$2" 2>> "$work/psql.err"; }

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

# begin ONE TWO: servers `one` and `two`, without a state of their own, answer from these addresses
# what is published, one state after the other (`contracts` and `states` as make_states takes them,
# 0.7 s apart), while clients ask. Sets `publisher`, `load`, `key` and `first_revision`.
begin() {
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
  wait "$publisher" || wrong "the publisher: exit status $?"
  publisher=
  all_answer ''
  end_load --never-backwards
}

# killed_and_started ADDRESS: servers keep nothing: killed and started, they answer as before.
killed_and_started() {
  local who
  for who in "${!serving[@]}"; do
    kill -KILL "${serving[$who]}"
    wait "${serving[$who]}" 2> /dev/null || true
    look_at_log "$who"
    serve_as "$who" --database "$1" --keys "$1"
  done
  all_answer ', killed and started again'
}

# keys_count: a key that is issued or revoked counts at all servers.
keys_count() {
  local second who target
  target=$(sed -n 3p "$work/targets")
  second=$("$program" keys issue second --keys "$database" 2>> "$work/keys.err") || { wrong 'a key was not issued'; return; }
  answered() { [ "$(status "$1" "$second" "$target")" = "$2" ]; }
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 200 && ok "server $who knows a new key" || wrong "server $who does not know a new key"
  done
  "$program" keys revoke second --keys "$database" 2>> "$work/keys.err" || wrong 'a key was not revoked'
  for who in "${!serving[@]}"; do
    within 3 answered "$who" 401 && ok "server $who refuses it once it is revoked" || wrong "server $who takes a revoked key"
  done
}
