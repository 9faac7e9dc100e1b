// signIn leaves for the sign-in, which returns to this page.
export function signIn() {
  location.assign(`/console/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
