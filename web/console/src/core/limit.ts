import type { ApiError } from './errors'
import { plural } from './format'

// Until when requests are held back because a limit of them is reached, by the tab's own clock;
// null if they aren't. A short wait isn't worth a word.
let until: number | null = null
let said = false
const watchers = new Set<() => void>()

function set(next: number | null, say: boolean) {
  until = next
  said = say
  for (const w of watchers) w()
}

// limit reports whether requests are held back for so long that the page says so.
export const limit = {
  get: () => said,
  watch(fn: () => void) {
    watchers.add(fn)
    return () => void watchers.delete(fn)
  },
}

// The longest that a change waits by itself, in seconds. After a longer one the person may no
// longer want it.
const longest = 60

// limited reports whether a request that was refused is sent again later by itself. It wasn't
// executed, so that a change isn't made twice.
export const limited = (e: ApiError, mutation: boolean): e is ApiError & { retryAfter: number } =>
  e.code === 'rate_limit_exceeded' && e.retryAfter !== undefined && (!mutation || e.retryAfter <= longest)

// later returns the words for a change that was refused for longer than it waits.
export const later = (seconds: number) =>
  `Too many requests: your change wasn’t saved. Try again in ${plural(Math.ceil(seconds / 60), 'minute')}.`

// hold keeps all requests back for some seconds.
export function hold(seconds: number) {
  const next = performance.now() + seconds * 1000
  if (until === null || next > until) set(next, said || seconds > 2)
}

// allowed waits until requests may be sent again. Those that waited don't go on all at once.
export async function allowed() {
  while (until !== null) {
    const left = until - performance.now()
    if (left <= 0) return set(null, false)
    await new Promise((done) => setTimeout(done, left + 500 * Math.random()))
  }
}
