import { connection } from './socket'

// How soon what has changed is read again, in ms: half a second after the first change, once for
// all changes until then. The longer changes go on without a rest, the longer it is waited, and
// at least three times as long as reading and drawing took: a burst of events, a slow service or
// a slow machine leaves three quarters of the time to the person.
const shortest = 500
const longest = 4000
const longestRead = 10_000
const check = 250

const queue = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined
let reading = false
let wait = shortest
let took = 0
let last = -Infinity
let requests = 0

// requested counts a request that reads, until the function that it returns is called.
export function requested() {
  requests++
  return () => void requests--
}

// soon has a function that reads something called with all others that are to be, once.
export function soon(read: () => void) {
  queue.add(read)
  if (timer !== undefined || reading) return
  const rested = performance.now() - last > Math.max(2 * wait, 3 * took)
  wait = rested ? shortest : Math.max(Math.min(2 * wait, longest), 3 * took)
  timer = setTimeout(() => void readAll(), wait)
}

// notSoon takes back what soon was asked for.
export const notSoon = (read: () => void) => void queue.delete(read)

async function readAll() {
  timer = undefined
  reading = true
  const from = performance.now()
  const reads = [...queue]
  queue.clear()
  try {
    for (const read of reads) read()
    // It takes a moment until they are sent and, once there are answers, until these are drawn.
    do await new Promise((done) => setTimeout(done, check))
    while (requests > 0 && performance.now() - from < longestRead)
  } finally {
    reading = false
    last = performance.now()
    took = connection.get() === 'connected' ? last - from : 0 // nothing is known of one that isn't reached
    const [next] = queue
    if (next) soon(next)
  }
}
