#!/usr/bin/env bash
# Tests the WordPress adapter against a real WordPress: Debian's package, run by WordPress's own
# Playground (npm), in .tools, where both are kept. Needs Debian and Node 20 or later.
set -euo pipefail
cd "$(dirname "$0")/.."
PLAYGROUND=3.1.56
port=${WORDPRESS_PORT:-2391}
tools=$PWD/.tools/wordpress-$PLAYGROUND
if [ ! -e "$tools/ready" ]; then
	rm -rf "$tools" && mkdir -p "$tools"
	(
		cd "$tools"
		apt-get download wordpress
		dpkg -x wordpress_*.deb package
		npm init -y >/dev/null
		npm i --no-audit --no-fund "@wp-playground/cli@$PLAYGROUND"
		touch ready
	)
fi
folder=$(mktemp -d)
pid=
stop() {
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	fi
	rm -rf "$folder"
}
trap stop EXIT
site=$folder/site
# The package links its languages and themes to other packages, which aren't there.
cp -r "$tools/package/usr/share/wordpress" "$site"
rm -f "$site/wp-config.php"
find "$site" -xtype l -delete
mkdir -p "$site/wp-content/mu-plugins"
cat >"$site/wp-content/mu-plugins/users.php" <<'PHP'
<?php
// Users of three roles, with application passwords.
add_filter('wp_is_application_passwords_available', '__return_true');
add_action('init', function () {
  $file = WP_CONTENT_DIR . '/passwords.txt';
  if (wp_installing() || file_exists($file)) { return; }
  $all = array();
  foreach (array('administrator', 'author', 'contributor') as $role) {
    $id = wp_insert_user(array('user_login' => "test-$role", 'user_pass' => wp_generate_password(), 'user_email' => "$role@example.com", 'role' => $role));
    if (is_wp_error($id)) { return; }
    $made = WP_Application_Passwords::create_new_application_password($id, array('name' => 'test'));
    if (is_wp_error($made)) { return; }
    $all[] = "$role:" . $made[0];
  }
  file_put_contents($file, implode(' ', $all));
});
PHP
"$tools/node_modules/.bin/wp-playground-cli" server --port "$port" --php 8.1 --site-url "http://127.0.0.1:$port" \
	--mount-dir-before-install "$site" /wordpress --wordpress-install-mode install-from-existing-files-if-needed \
	--define WP_ENVIRONMENT_TYPE local >"$folder/log" 2>&1 &
pid=$!
# ready reports whether the API knows one of the users, whom the first request makes.
ready() {
	local author
	author=$(cat "$site/wp-content/passwords.txt" 2>/dev/null | tr ' ' '\n' | grep ^author: || true)
	curl -sS -m 30 -u "test-$author" "http://127.0.0.1:$port/?rest_route=/wp/v2/users/me" 2>/dev/null | grep -q '"slug":"test-author"'
}
deadline=$((SECONDS + 300))
until ready; do
	if [ "$SECONDS" -gt "$deadline" ] || ! kill -0 "$pid" 2>/dev/null; then
		echo "WordPress didn't start:" >&2
		tail -20 "$folder/log" >&2
		exit 1
	fi
	sleep 1
done
MISSIOND_TEST_WORDPRESS="http://127.0.0.1:$port" MISSIOND_TEST_WORDPRESS_PASSWORDS=$(cat "$site/wp-content/passwords.txt") \
	go test -count=1 -run TestServer ./internal/publisher/wordpress "$@"
