# For the scripts of this folder (`. scripts/deploy/started.sh`): a server under trial.

# start_server FOLDER PROGRAM [ARGUMENT…]: starts `PROGRAM serve` on a free port with
# FOLDER as its current folder, FOLDER/out and FOLDER/err as its output, and waits until
# it says that it listens. Sets `server` (the process) and `base` (http://ADDR:PORT).
start_server() {
  local folder=$1 program=$2 options=(--listen 127.0.0.1:0)
  shift 2
  # The operators' port has to be free, too, where the program has one.
  if "$program" serve --help | grep -q -- --admin-listen; then
    options+=(--admin-listen 127.0.0.1:0)
  fi
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
