# What the trials of several ranks share: PROGRAM, a directory WORK of their own, runs and their draws.
#   source common.bash PROGRAM WORK
set -uo pipefail
program=$1
work=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
RANDOM=1  # the moments of the kills
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# ranks R arguments...
ranks() {
  local count=$1
  shift
  mpirun --oversubscribe -n "$count" "$program" "$@" --threads 1 --quiet
}

# The same in the background; $job is its mpirun, what ranks say goes to the file $said. When a rank
# is killed, mpirun kills the others at once and not a second later.
start_ranks() {
  local count=$1
  shift
  mpirun --oversubscribe --mca odls_base_sigkill_timeout 0 -n "$count" "$program" "$@" --threads 1 \
    --quiet >/dev/null 2>"$said" &
  job=$!
}
said=said

# The draws of a run as text.
draws_of() {
  "$program" export "$1" --out "csv-$1" --force >/dev/null && cat "csv-$1"_*.csv | grep -v '^#'
}

# The first of the two is kept for the next time.
same_draws() {
  [[ -e $1.text ]] || draws_of "$1" >"$1.text"
  [[ -s $1.text ]] && cmp -s "$1.text" <(draws_of "$2") || fail "$1 and $2 differ"
}

# The process of a rank of the mpirun that is our child $1.
process_of_rank() {
  local child
  for child in $(pgrep -P "$1"); do
    if tr '\0' '\n' 2>/dev/null <"/proc/$child/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then
      echo "$child"
      return
    fi
  done
}

# A checkpoint beyond the first, and some time more. It may be over by then.
wait_for_work() {
  local tries=0
  until [[ -e $1.checkpoint.old || $tries -gt 500 ]]; do
    sleep 0.02
    tries=$((tries + 1))
  done
  sleep "0.$((RANDOM % 4))"
}

signal_rank() {  # mpirun rank signal
  local process
  process=$(process_of_rank "$1" "$2")
  [[ -n $process ]] && kill -"$3" "$process"
}

# Long enough to be killed again and again.
long="sample neal100 --sampler nuts --chains 4 --warmup 500 --draws 1000 --thin 100 --save x[1:2]"
long+=" --checkpoint 0.1"

# Each part with its seconds; exit code 1 where something failed.
try_all() {
  local part begin
  for part in "$@"; do
    begin=$SECONDS
    $part
    echo "$part: $((SECONDS - begin)) s"
  done
  [[ $failures -eq 0 ]] || exit 1
  echo "all as in one process"
}
