// renew has the session's cookie renewed, and leads to the sign-in if it has ended.
export async function renew() {
  const response = await fetch('/console/session', { method: 'POST', credentials: 'same-origin' }).catch(() => null)
  if (response?.status === 401) signIn()
}

// keepSignedIn renews the session of an open page: in time, and when it is looked at
// again.
export function keepSignedIn() {
  setInterval(() => void renew(), 20 * 60_000)
  addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void renew())
}

// signIn leaves for the sign-in, which returns to this page.
export function signIn() {
  location.assign(`/console/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}
