#!/usr/bin/env bash
# Sees that the servers which the tests talk to answer on this machine: Postgres
# on 127.0.0.1:5432 (user postgres, no password) and Redis on 127.0.0.1:6379.
# In CI, and for root, one that doesn't answer is installed by apt-get and
# started. Elsewhere it is said what is missing; those tests are skipped then.
# A server named in MISSIOND_TEST_POSTGRES or MISSIOND_TEST_REDIS is left alone.
# Programs that tests start by themselves (PgBouncer, HAProxy, Redis Sentinel, promtool, Exim, Chromium) are
# installed in the same cases, and not started; the arguments are further programs (Patroni, etcd, gcc).
set -euo pipefail

missing=()

can_install() {
	command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || { [ -n "${CI:-}" ] && sudo -n true 2>/dev/null; }; }
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# install adds Debian packages. The locale is that of a new database cluster.
install() {
	echo "installing $*"
	as_root apt-get -qq update || echo "apt-get update failed; going on with the lists there are"
	as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
		apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

# within_seconds N COMMAND… runs the command until it succeeds.
within_seconds() {
	local deadline=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$deadline" ] || return 1
		sleep 0.2
	done
}

port_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# postgres_answers also tells whether it asks for a password, where psql is there.
postgres_answers() {
	port_open 5432 || return 1
	! command -v psql >/dev/null || psql -w -h 127.0.0.1 -U postgres -d postgres -Atqc 'SELECT 1' >/dev/null 2>&1
}

redis_answers() {
	local reply
	{ exec 3<>/dev/tcp/127.0.0.1/6379; } 2>/dev/null || return 1
	printf 'PING\r\n' >&3
	IFS= read -r -t 2 reply <&3 || reply=""
	exec 3>&-
	[ "$reply" = $'+PONG\r' ]
}

# start_postgres starts Debian's cluster of port 5432. Only a cluster that was
# installed just now, or is CI's, is opened to the user postgres on loopback.
start_postgres() {
	local ours=${CI:-} version cluster hba
	if ! command -v pg_ctlcluster >/dev/null; then
		install postgresql
		ours=yes
	fi
	read -r version cluster < <(pg_lsclusters -h | awk '$3 == 5432 { print $1, $2 }') || return 1
	if ! port_open 5432; then
		as_root pg_ctlcluster --skip-systemctl-redirect "$version" "$cluster" start >/dev/null 2>&1 </dev/null || true
	fi
	within_seconds 30 port_open 5432 || return 1
	if [ -n "$ours" ] && ! postgres_answers; then
		hba=/etc/postgresql/$version/$cluster/pg_hba.conf
		as_root sed -i '1i host all postgres 127.0.0.1/32 trust' "$hba"
		as_root pg_ctlcluster --skip-systemctl-redirect "$version" "$cluster" reload
	fi
	within_seconds 30 postgres_answers
}

start_redis() {
	command -v redis-server >/dev/null || install redis-server
	within_seconds 1 redis_answers && return # the package may have started it
	redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save "" --appendonly no \
		--dir "${TMPDIR:-/tmp}" >/dev/null </dev/null
	within_seconds 10 redis_answers
}

# see_to NAME VARIABLE ANSWERS START sees to one server.
see_to() {
	if [ -n "${!2:-}" ]; then
		echo "$1: the one that $2 names"
	elif "$3"; then
		echo "$1: answers"
	elif can_install && "$4"; then
		echo "$1: started"
	else
		missing+=("$1")
	fi
}

# installed PROGRAM also looks where a user's PATH doesn't lead.
installed() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }

# install_unstarted adds Debian packages whose services must not be started: a
# package's sentinel would watch the Redis of the tests.
install_unstarted() {
	local policy=/usr/sbin/policy-rc.d made="" status=0
	if [ ! -e "$policy" ]; then
		printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
		as_root chmod 755 "$policy"
		made=yes
	fi
	install "$@" || status=$?
	[ -z "$made" ] || as_root rm -f "$policy"
	return "$status"
}

# see_to_programs PROGRAM… sees to programs whose packages are named like them, but etcd's; gcc's has no headers.
see_to_programs() {
	local program absent=()
	for program in "$@"; do
		installed "$program" || absent+=("$program")
		[ "$program" != gcc ] || [ -e /usr/include/stdio.h ] || absent+=(libc6-dev)
	done
	if [ ${#absent[@]} -gt 0 ] && can_install; then
		install_unstarted "${absent[@]/#etcd/etcd-server}" || true
	fi
	for program in "$@"; do
		if installed "$program"; then echo "$program: installed"; else missing+=("$program"); fi
	done
}

see_to "Postgres on 127.0.0.1:5432" MISSIOND_TEST_POSTGRES postgres_answers start_postgres
see_to "Redis on 127.0.0.1:6379" MISSIOND_TEST_REDIS redis_answers start_redis
see_to_programs pgbouncer haproxy redis-sentinel "$@"
if ! command -v promtool >/dev/null && can_install; then
	install_unstarted prometheus || true
fi
if command -v promtool >/dev/null; then echo "promtool: installed"; else missing+=("promtool"); fi
# It makes the HEIC files of the tests.
if ! command -v heif-enc >/dev/null && can_install; then
	install_unstarted libheif-examples || true
fi
if command -v heif-enc >/dev/null; then echo "heif-enc: installed"; else missing+=("heif-enc (libheif-examples)"); fi
# It takes the e-mails of the tests. Another mail server of the machine stays, and Exim is missing then.
if ! installed exim4 && can_install; then
	install_unstarted --no-remove exim4-daemon-light || true
fi
if installed exim4; then echo "Exim: installed"; else missing+=("Exim (exim4-daemon-light)"); fi
# The shell, which has no window of its own, takes a third less of the processor's time.
browsers=(chromium-headless-shell chromium chromium-browser google-chrome)
if ! command -v "${browsers[@]}" >/dev/null && can_install; then
	install_unstarted chromium-headless-shell || install_unstarted chromium || true
fi
if command -v "${browsers[@]}" >/dev/null; then echo "Chromium: installed"; else missing+=("Chromium"); fi

if [ ${#missing[@]} -gt 0 ]; then
	{
		echo
		echo "*****************************************************************"
		for server in "${missing[@]}"; do
			echo "  MISSING: $server"
		done
		echo "  Only the tests on SQLite and the in-process Redis stand in for"
		echo "  it. Start it (Postgres: user postgres, no password), or name"
		echo "  one in MISSIOND_TEST_POSTGRES or MISSIOND_TEST_REDIS. The tests"
		echo "  that start a missing program are skipped."
		echo "*****************************************************************"
		echo
	} >&2
	[ -z "${CI:-}" ]
fi
