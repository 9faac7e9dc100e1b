import { useSyncExternalStore } from 'react'

// The console goes by the service's clock, which a development run can have run
// faster. It reads its own monotonic clock in between.
let base = Date.now()
let at = performance.now()
let speed = 1
let tick = base
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

// setClock takes what the service says its time and speed are.
export function setClock(now: string, factor: number) {
  base = Date.parse(now)
  at = performance.now()
  speed = factor
  tick = base
  if (timer !== undefined) restart()
}

// serviceNow returns the service's time in milliseconds since 1970.
export const serviceNow = () => base + (performance.now() - at) * speed

// What queries ask for from now on is counted from when a page was opened or read again. A
// render that React throws away and does over must ask for the same, or it asks without end:
// this is remembered here, where it outlives renders.
let page: string | undefined
let opened = 0

// openedAt returns the service's time when a page was opened, by its path: the same until
// another page is opened.
export function openedAt(path: string) {
  if (path !== page) {
    page = path
    opened = serviceNow()
  }
  return opened
}

export const clockSpeed = () => speed

function restart() {
  clearInterval(timer)
  timer = setInterval(
    () => {
      tick = serviceNow()
      for (const w of watchers) w()
    },
    speed > 1 ? 1000 : 15_000,
  )
}

function watch(fn: () => void) {
  watchers.add(fn)
  if (timer === undefined) restart()
  return () => {
    watchers.delete(fn)
    if (watchers.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

// useNow returns the service's time, and renders again as it goes on.
export function useNow() {
  return useSyncExternalStore(watch, () => tick)
}
